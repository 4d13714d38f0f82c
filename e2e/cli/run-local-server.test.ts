// A model server of this machine in `harness run`: one that has to load its model, and one that restarts.
import { type ModelServer, type ScenarioInput, startModelServer, turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { TestHome } from "../../packages/cli/test/harness-process.ts";

let studio: ModelServer | undefined;
let place: TestHome | undefined;
afterEach(async () => {
  place?.remove();
  await studio?.close();
});

async function start(load: NonNullable<ScenarioInput["models"]>[number]["load"]) {
  studio = await startModelServer({
    flavour: "lmstudio",
    scenario: {
      models: [{ id: "coder", loaded: false, contextTokens: 16_384, load }],
      loading: { onRequest: false },
      turns: [turns.say("Here.")],
    },
  });
  place = new TestHome({ ...studio.environment, HARNESS_PROVIDER: "", HARNESS_MODEL: "" });
  return { studio, run: place.start(["run", "-m", "lmstudio/coder", "hi"]) };
}

it("a model is loaded before the first request, which is said on stderr", async () => {
  const { studio, run } = await start({ hangs: true });
  await studio.hanging();
  await run.says("stderr", "harness: The server is loading the model.\n");
  expect(studio.chatRequests).toEqual([]);
  studio.release();
  const stderr = "harness: The server is loading the model.\n";
  expect(await run.ended).toEqual({ code: 0, signal: null, stdout: "Here.\n", stderr });
});

it("a model ends the run where it cannot be loaded, with what to do", async () => {
  const { run } = await start({ error: "insufficient system resources" });
  const { code, stdout, stderr } = await run.ended;
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/could not load "coder"\. `lms ps` shows .+ It says: "insufficient system resources"/);
});

it("a server that restarts in the middle of a request is waited for, which is said on stderr", async () => {
  const hanging = { models: [{ id: "m" }], turns: [turns.say("He", { fault: { kind: "hang", afterEvents: 1 } })] };
  const first = await startModelServer({ flavour: "llamacpp", scenario: hanging });
  place = new TestHome({ ...first.environment, HARNESS_PROVIDER: "llamacpp", HARNESS_MODEL: "m" });
  const run = place.start(["run", "hi"]);
  await first.hanging();
  await first.close();
  const waits = "harness: The server no longer answers: waiting for it to come back.\n";
  await run.says("stderr", waits);
  const scenario = { models: [{ id: "m" }], turns: [turns.say("Here.")] };
  studio = await startModelServer({ flavour: "llamacpp", port: first.port, scenario });
  expect(await run.ended).toMatchObject({ code: 0, stdout: "Here.\n", stderr: expect.stringContaining(waits) });
});
