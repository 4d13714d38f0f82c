import type { CapabilityRecord } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { screenOf } from "../../../test/painter.ts";
import { ESCAPE, settled, type TestWindow, testWindow } from "../../../test/scripted-server.ts";
import { modelWarning } from "../../state/selectors.ts";
import { createStore } from "../../state/store.ts";
import { textOfRow } from "../../text/style.ts";
import { usageRows } from "./usage-rows.ts";

async function opened(prepare: (window: TestWindow) => void): Promise<TestWindow> {
  const window = testWindow();
  prepare(window);
  window.controller.start();
  await settled();
  return window;
}

/** All of an open sheet: no screen is too low for it. */
function sheet({ store }: TestWindow): string {
  if (store.get().overlay === undefined) throw new Error("No sheet is open.");
  return screenOf({ store: createStore({ ...store.get(), size: { columns: 80, rows: 400 } }) })
    .map((line) => line.replace(/^ /, ""))
    .join("\n")
    .trimEnd();
}

const capabilities: CapabilityRecord = {
  provider: "ollama",
  model: "qwen3-coder",
  address: "http://localhost:11434",
  testedAt: "2026-11-21T14:30:22.000Z",
  harnessVersion: "1.2.3",
  toolMode: "prompted",
  parallelCalls: false,
  streamsArguments: false,
  thinking: "leaks",
  probes: [],
};
const probe = { id: "call", title: "One tool call", outcome: "passed" as const, detail: "", durationMs: 900 };

describe("/doctor", () => {
  it("shows probes as they end, and then the capabilities", async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const window = await opened(({ server }) => {
      server.answers["models/doctor"] = () => promise;
      server.answers["hud/get"] = () => ({
        permissionMode: "default",
        agentsRunning: 0,
        queued: 0,
        provider: "ollama",
        model: "qwen3-coder",
      });
    });
    window.send("/doctor\r");
    await settled();
    expect(window.server.paramsOf("models/doctor")).toEqual([
      { cwd: "/work", provider: "ollama", model: "qwen3-coder" },
    ]);
    expect(sheet(window)).toContain("Testing the model…");
    window.server.listeners?.notices["models/probe"]?.({
      provider: "ollama",
      model: "qwen3-coder",
      probe,
      done: 1,
      of: 2,
    });
    expect(sheet(window)).toContain("✓ One tool call  0.9 s");
    expect(sheet(window)).toContain("1 of 2");
    resolve({ capabilities });
    await settled();
    expect(sheet(window)).toMatch(/Tools +in words/);
    expect(sheet(window)).toMatch(/Window +unknown/);
    window.send(ESCAPE);
    expect(window.store.get().overlay).toBeUndefined();
  });

  it("says that no way of calling tools works, and not how they are offered nevertheless", async () => {
    const window = await opened(({ server }) => {
      server.answers["models/doctor"] = () => ({ capabilities: { ...capabilities, callsTools: false } });
    });
    window.send("/doctor ollama/other\r");
    await settled();
    expect(sheet(window)).toMatch(/Tools +no way of calling them works/);
  });

  it("asks about the model that is named, and is stopped by Esc", async () => {
    let signal: AbortSignal | undefined;
    const window = await opened(({ server }) => {
      server.answers["models/doctor"] = (_params, _server, given) => {
        signal = given;
        return new Promise(() => undefined);
      };
    });
    window.send("/doctor ollama/other\r");
    await settled();
    expect(window.server.paramsOf("models/doctor")).toEqual([{ cwd: "/work", model: "ollama/other" }]);
    expect(signal?.aborted).toBe(false);
    window.send(ESCAPE);
    expect(signal?.aborted).toBe(true);
  });

  it("says why it could not", async () => {
    const window = await opened(({ server }) => {
      server.answers["models/doctor"] = () => Promise.reject(new Error("No provider is ready.\nStart one."));
    });
    window.send("/doctor\r");
    await settled();
    expect(sheet(window)).toContain("The model could not be tested: No provider is ready.\nStart one.");
  });
});

describe.each(["/cost", "/usage"])("%s", (command) => {
  const sum = { requests: 2, usage: { inputTokens: 1200 }, cost: { usd: 0.5, unpricedRequests: 1 } };
  const answer = { day: "2026-11-21", today: sum, byModel: [{ ...sum, provider: "openai", model: "gpt" }] };

  it("adds up the open session and the day", async () => {
    const window = await opened(({ server }) => {
      server.answers["usage/get"] = ({ sessionId }) => ({ ...answer, ...(sessionId ? { session: sum } : {}) });
    });
    window.send(`${command}\r`);
    await settled();
    expect(sheet(window)).not.toContain("This session");
    expect(sheet(window)).toContain("openai/gpt");
    window.send(ESCAPE);
    window.send("hello\r");
    await settled();
    window.send(`${command}\r`);
    await settled();
    expect(window.server.paramsOf("usage/get")).toEqual([{}, { sessionId: "s1" }]);
    expect(sheet(window)).toContain("This session            $0.50+?  2 requests · 1.2k in");
  });

  it("names a server of this machine by its address", () => {
    const rows = usageRows(
      { kind: "usage", scroll: 0, usage: answer },
      {
        columns: 100,
        hud: {
          permissionMode: "default",
          mode: "agent",
          agentsRunning: 0,
          queued: 0,
          provider: "openai",
          model: "gpt",
          place: "at 127.0.0.1:8080",
        },
      },
    );
    const text = rows.map(textOfRow).join("\n");
    expect(text).toContain("gpt at 127.0.0.1:8080");
    expect(text).not.toContain("openai");
  });

  it("says why it could not", async () => {
    const window = await opened(({ server }) => {
      server.answers["usage/get"] = () => Promise.reject(new Error("The disk is full."));
    });
    window.send(`${command}\r`);
    await settled();
    expect(sheet(window)).toContain("The numbers could not be read: The disk is full.");
  });
});

describe("a warning about the model", () => {
  const hud = { permissionMode: "default", agentsRunning: 0, queued: 0, provider: "ollama", model: "qwen3-coder" };
  const warning = "gpt-9 is gone: qwen3-coder is used.";

  it("disappears when another model is chosen", async () => {
    const window = await opened(({ server }) => {
      server.answers["hud/get"] = () => ({ ...hud, warning });
    });
    expect(modelWarning(window.store.get())).toBe(warning);
    window.server.answers["hud/get"] = () => hud;
    window.send("/model other\r");
    await settled();
    expect(modelWarning(window.store.get())).toBeUndefined();
  });
});
