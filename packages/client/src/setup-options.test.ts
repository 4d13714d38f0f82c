import type { ProviderView } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { setupNotes, setupOptions, startableServers } from "./setup-options.ts";

const local = (id: string, more: Partial<ProviderView> = {}): ProviderView => ({
  ...{ id, name: id.toUpperCase(), local: true, ready: false, detail: `${id.toUpperCase()} is not running.` },
  ...more,
});
const hosted = (id: string, more: Partial<ProviderView> = {}): ProviderView => ({
  ...{ id, name: id.toUpperCase(), local: false, ready: false, detail: "", keyEnv: `${id}_KEY` },
  ...more,
});

describe("the ways to get a model", () => {
  it.each<[string, ProviderView[], boolean, string[]]>([
    ["nothing", [], false, ["Address of a server", "Model file (.gguf)"]],
    [
      "keys and logins",
      [hosted("a"), hosted("b", { login: true })],
      false,
      ["Enter an API key", "Log in with B", "Address of a server", "Model file (.gguf)"],
    ],
    [
      "servers that answer, first",
      [local("a"), local("b", { ready: true, running: true }), hosted("c")],
      false,
      ["Use B", "Enter an API key", "Address of a server", "Model file (.gguf)"],
    ],
    [
      "a server that downloads models",
      [local("a", { running: true, pulls: true }), hosted("c")],
      false,
      ["Pull with A", "Enter an API key", "Address of a server", "Model file (.gguf)"],
    ],
    [
      "local-only mode, in which nothing is downloaded",
      [local("b", { running: true, pulls: true })],
      true,
      ["Address of a server", "Model file (.gguf)"],
    ],
    [
      "local-only mode",
      [local("a"), hosted("b"), hosted("c", { login: true })],
      true,
      ["Address of a server", "Model file (.gguf)"],
    ],
    [
      "a login that is there",
      [hosted("b", { login: true, ready: true })],
      false,
      ["Address of a server", "Model file (.gguf)"],
    ],
    [
      "model files that are there",
      [local("gguf", { ready: true })],
      false,
      ["Address of a server", "Model file (.gguf)"],
    ],
  ])("with %s", (_, providers, localOnly, labels) => {
    expect(setupOptions(providers, { localOnly }).map(({ label }) => label)).toEqual(labels);
  });

  it("name the first vendors whose key can be entered, and how many others", () => {
    const [option] = setupOptions(
      ["a", "b", "c", "d", "e", "f"].map((id) => hosted(id)),
      { localOnly: false },
    );
    expect(option?.detail).toBe("A, B, C and 3 more");
  });
});

it("a server that runs without a model, or does not answer, says what it lacks; the others can be started", () => {
  const providers = [
    local("ol", { running: true, detail: "Answers at :1, but has no model. Get one." }),
    local("b", { running: true, detail: "B at :2 accepted the request but did not answer for 3 s." }),
    local("c"),
    local("d"),
    local("gguf"),
  ];
  expect(setupNotes(providers)).toEqual([
    "OL answers at :1, but has no model. Get one.",
    "B at :2 accepted the request but did not answer for 3 s.",
  ]);
  expect(startableServers(providers)).toBe("C or D");
});
