// A model is downloaded by a running Ollama: progress, refusals, a broken connection, and cancelling.
import { PROTOCOL_VERSION } from "@harness/protocol";
import { type ModelServer, type ScenarioInput, startModelServer } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { LiveServer } from "../support/live-server.ts";

let live: LiveServer | undefined;
let ollama: ModelServer | undefined;
afterEach(async () => {
  await live?.close();
  await ollama?.close();
});

async function open(library: ScenarioInput["library"], env: Record<string, string> = {}, role = "controller") {
  live = await LiveServer.start({ turns: [] });
  ollama = await startModelServer({ flavour: "ollama", scenario: { models: [], library } });
  const wire = live.raw({ ...ollama.environment, ...env });
  const capabilities = {};
  wire.send("initialize", {
    ...{ protocolVersions: [PROTOCOL_VERSION], clientInfo: { name: "test", version: "1" }, role, capabilities },
  });
  await wire.answer(1);
  return { wire, ollama };
}

const updatesIn = (output: string) =>
  output
    .split("\n")
    .filter((line) => line.includes('"models/pull_update"'))
    .map((line) => JSON.parse(line).params);

it("a model arrives with its progress, and is listed from then on", async () => {
  const { wire } = await open([{ id: "coder:latest", layers: [4_000, 1_000] }]);
  wire.send("providers/list", {});
  const { result } = (await wire.answer(2)) as { result: { providers: { id: string }[] } };
  expect(result.providers.find(({ id }) => id === "ollama")).toMatchObject({
    ready: false,
    running: true,
    pulls: true,
  });
  expect(result.providers.find(({ id }) => id === "vllm")).not.toHaveProperty("pulls");
  wire.send("models/pull", { provider: "ollama", model: "coder" });
  expect((await wire.answer(3)).result).toEqual({ model: "coder:latest" });
  wire.send("models/list", { provider: "ollama" });
  expect((await wire.answer(4)).result).toMatchObject({ models: [{ provider: "ollama", model: "coder:latest" }] });
  const about = { provider: "ollama", model: "coder" };
  const [first, second] = ["pulling 000000000001", "pulling 000000000002"].map((status) => ({ ...about, status }));
  expect(updatesIn(await wire.end())).toEqual([
    { ...about, status: "pulling manifest" },
    { ...first, completed: 0, total: 4_000 },
    { ...first, completed: 2_000, total: 4_000 },
    { ...first, completed: 4_000, total: 4_000 },
    { ...second, completed: 4_000, total: 5_000 },
    { ...second, completed: 4_500, total: 5_000 },
    { ...second, completed: 5_000, total: 5_000 },
    { ...about, status: "verifying sha256 digest" },
    { ...about, status: "writing manifest" },
  ]);
});

it.each<[string, string, ScenarioInput["library"], string]>([
  [
    "a name that is not there",
    "nosuch",
    [],
    'Ollama could not pull "nosuch": pull model manifest: file does not exist',
  ],
  [
    "a full disk",
    "big",
    [{ id: "big", pull: { error: "write /root/.ollama: no space left on device" } }],
    'Ollama could not pull "big": write /root/.ollama: no space left on device',
  ],
  ["a connection that breaks", "big", [{ id: "big", pull: { cut: true } }], "Ollama at"],
])("says what the server said: %s", async (_, model, library, words) => {
  const { wire } = await open(library);
  wire.send("models/pull", { provider: "ollama", model });
  const { error } = await wire.answer(2);
  expect(error).toMatchObject({ message: expect.stringContaining(words), data: { kind: "provider_error" } });
  expect(JSON.stringify(error)).not.toContain("bug");
});

it.each([
  ["llamacpp", "llama.cpp cannot download models for harness. It serves the model it was started with."],
  ["nobody", 'There is no provider "nobody".'],
])("is refused for %s", async (provider, words) => {
  const { wire } = await open([]);
  wire.send("models/pull", { provider, model: "coder" });
  expect((await wire.answer(2)).error).toMatchObject({ message: expect.stringContaining(words) });
});

it("stops when the request is cancelled", async () => {
  const { wire, ollama: server } = await open([{ id: "big", pull: { hangs: true } }]);
  wire.send("models/pull", { provider: "ollama", model: "big" });
  await wire.until('"completed":2350000000');
  wire.notify("$/cancel_request", { requestId: 2 });
  expect((await wire.answer(2)).error).toMatchObject({ data: { kind: "cancelled" } });
  await server.idle();
  expect(server.requests.findLast(({ path }) => path === "/api/pull")).toMatchObject({ aborted: true });
});

it("downloads nothing in local-only mode", async () => {
  const { wire, ollama: server } = await open([{ id: "coder" }], { HARNESS_LOCAL_ONLY: "1" });
  wire.send("models/pull", { provider: "ollama", model: "coder" });
  expect((await wire.answer(2)).error).toMatchObject({ message: expect.stringContaining("local-only mode") });
  expect(server.requests.some(({ path }) => path === "/api/pull")).toBe(false);
});

it("is not for observers", async () => {
  const { wire, ollama: server } = await open([{ id: "coder" }], {}, "observer");
  wire.send("models/pull", { provider: "ollama", model: "coder" });
  expect((await wire.answer(2)).error).toMatchObject({ message: expect.stringContaining("observer") });
  expect(server.requests.some(({ path }) => path === "/api/pull")).toBe(false);
});
