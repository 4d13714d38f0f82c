// A subagent is requested with the model of a server that is not running.
import { startModelServer, turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

let live: LiveServer | undefined;
afterEach(() => live?.close());

it.each([false, true])("it is not said to have started (background: %s)", async (background) => {
  const gone = await startModelServer({ flavour: "ollama", scenario: { turns: [] } });
  await gone.close();
  const start = turns.call("start_subagent", { task: "look", model: "ollama/coder", background });
  live = await LiveServer.start({ turns: [start, turns.say("I see.", { repeat: "always" })] });
  const { client } = await live.connect(undefined, { OLLAMA_HOST: gone.url });
  const { sessionId } = (await client.call("session/new", { cwd: live.root })).session;
  await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say("go") });
  await live.idle();
  const results = live.updates.flatMap(({ update }) =>
    update.sessionUpdate === "tool_call_update" ? [update.outcome?.text ?? ""] : [],
  );
  expect(results.at(-1)).toMatch(
    /ollama\/coder\\" cannot be used: Ollama at \S+ is not running: start it with `ollama serve`/,
  );
  expect(results.join()).not.toContain("started");
});
