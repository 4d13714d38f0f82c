// A model is loaded by a running LM Studio: on request, and for a first message.
import { PROTOCOL_VERSION } from "@harness/protocol";
import { type ModelServer, type ScenarioInput, startModelServer, turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

let live: LiveServer | undefined;
let studio: ModelServer | undefined;
afterEach(async () => {
  await live?.close();
  await studio?.close();
});

type Models = NonNullable<ScenarioInput["models"]>;

async function open(model: Partial<Models[number]> = {}, role = "controller") {
  live = await LiveServer.start({ turns: [] });
  const models = [{ id: "coder", loaded: false, contextTokens: 16_384, ...model }];
  studio = await startModelServer({
    flavour: "lmstudio",
    scenario: { models, turns: [turns.say("Here.", { repeat: "always" })], loading: { onRequest: false } },
  });
  const wire = live.raw({ ...studio.environment, HARNESS_PROVIDER: "lmstudio" });
  wire.send("initialize", {
    ...{ protocolVersions: [PROTOCOL_VERSION], clientInfo: { name: "test", version: "1" }, role, capabilities: {} },
  });
  await wire.answer(1);
  return { wire, studio, place: live };
}

const loads = ({ requests }: ModelServer) =>
  requests.filter(({ path }) => path === "/api/v1/models/load").map(({ body }) => body);
const asked = { provider: "lmstudio", model: "coder" };

it("a model that is not in memory is listed as such, and loaded", async () => {
  const { wire } = await open();
  wire.send("models/list", { provider: "lmstudio" });
  expect((await wire.answer(2)).result).toMatchObject({ models: [{ model: "coder", loaded: false, loads: true }] });
  wire.send("models/load", asked);
  expect((await wire.answer(3)).result).toEqual({ windowTokens: 16_384 });
  wire.send("models/list", { provider: "lmstudio" });
  const { result } = (await wire.answer(4)) as { result: { models: object[] } };
  expect(result.models).toMatchObject([{ model: "coder", loaded: true, windowTokens: 16_384 }]);
  expect(result.models[0]).not.toHaveProperty("loads");
});

it("a model is loaded with the context_limit of the settings", async () => {
  const { wire, studio } = await open();
  wire.send("settings/set", { edits: [{ key: "context_limit", value: 12_000 }] });
  await wire.answer(2);
  wire.send("models/load", asked);
  expect((await wire.answer(3)).result).toEqual({ windowTokens: 12_000 });
  expect(loads(studio)).toMatchObject([{ context_length: 12_000 }]);
});

it("says what the server said, and what to do", async () => {
  const { wire } = await open({ load: { error: "insufficient system resources" } });
  wire.send("models/load", asked);
  expect((await wire.answer(2)).error).toMatchObject({
    message: expect.stringMatching(/could not load "coder"\. `lms ps` .+ It says: "insufficient system resources"/),
    data: { kind: "provider_error" },
  });
});

it.each([
  ["a name that is not there", { provider: "lmstudio", model: "nosuch" }, 'no model "nosuch"'],
  ["a server that loads for messages", { provider: "ollama", model: "x" }, ""],
])("is refused for %s", async (_, params, words) => {
  const { wire } = await open();
  wire.send("models/load", params);
  expect((await wire.answer(2)).error).toMatchObject({ message: expect.stringContaining(words) });
});

it("the wait ends when the request is cancelled", async () => {
  const { wire, studio } = await open({ load: { hangs: true } });
  wire.send("models/load", asked);
  const hanging = await studio.hanging();
  wire.notify("$/cancel_request", { requestId: 2 });
  expect((await wire.answer(2)).error).toMatchObject({ data: { kind: "cancelled" } });
  await studio.idle();
  expect(hanging).toMatchObject({ aborted: true });
});

it("the doctor tests the model with the context window that it is loaded with", async () => {
  const { wire, studio } = await open({ contextTokens: 6_000, trainedTokens: 6_000 });
  wire.send("models/doctor", asked);
  await wire.answer(2);
  const bodies = studio.chatRequests.map(({ body }) => JSON.stringify(body).split(" ").length);
  // Three fifths of the context window, in words; with an assumed window it would be 4,800.
  expect(Math.max(...bodies)).toBeLessThan(3_700);
  expect(Math.max(...bodies)).toBeGreaterThan(3_600);
  expect(loads(studio)).toHaveLength(1);
});

it("is not for observers", async () => {
  const { wire, studio } = await open({}, "observer");
  wire.send("models/load", asked);
  expect((await wire.answer(2)).error).toMatchObject({ message: expect.stringContaining("observer") });
  expect(loads(studio)).toEqual([]);
});

it("a first message has the model loaded, is shown that, and knows its context window", async () => {
  const { studio, place } = await open({ load: { hangs: true } });
  const env = { ...studio.environment, HARNESS_PROVIDER: "lmstudio", HARNESS_MODEL: "coder" };
  const { client } = await place.connect(undefined, env);
  const { sessionId } = (await client.call("session/new", { cwd: place.root })).session;
  await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("hi") });
  await studio.hanging();
  await place.until(({ update }) => update.sessionUpdate === "request_status" && update.phase === "loading");
  studio.release();
  await place.idle();
  expect(await client.call("hud/get", { sessionId })).toMatchObject({
    context: { windowTokens: 16_384, windowSource: "server" },
  });
  expect([loads(studio).length, studio.chatRequests.length]).toEqual([1, 1]);
});
