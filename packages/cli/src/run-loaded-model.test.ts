// A model that LM Studio has and not in its memory, in `harness run`.
import { type ModelServer, type ScenarioInput, startModelServer, turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { TestHome } from "../test/harness-process.ts";

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

it("is loaded before the first request, which is said on stderr", async () => {
  const { studio, run } = await start({ hangs: true });
  await studio.hanging();
  await run.says("stderr", "harness: The server is loading the model.\n");
  expect(studio.chatRequests).toEqual([]);
  studio.release();
  const stderr = "harness: The server is loading the model.\n";
  expect(await run.ended).toEqual({ code: 0, signal: null, stdout: "Here.\n", stderr });
});

it("ends the run where it cannot be loaded, with what to do", async () => {
  const { run } = await start({ error: "insufficient system resources" });
  const { code, stdout, stderr } = await run.ended;
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/could not load "coder"\. `lms ps` shows .+ It says: "insufficient system resources"/);
});
