// A message that is longer than the context window, over a real server process with the real tools.
import { mkdirSync, readFileSync } from "node:fs";
import { turns } from "@harness/testkit";
import { afterEach, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

let live: LiveServer;
afterEach(() => live.close());

const log = Array.from({ length: 4_000 }, (_, n) => `line ${n + 1} of the log: nothing happened`).join("\n");

it("a message that is too long is sent as its ends with a file, which the agent reads in parts without a question", async () => {
  live = await LiveServer.start({ turns: [turns.say("Much.")] });
  mkdirSync(live.cwd);
  const { client } = await live.connect();
  const { sessionId } = (await client.call("session/new", { cwd: live.cwd })).session;
  await client.call("session/prompt", { sessionId, promptId: "p1", prompt: say(log) });
  const { seq = 0 } = await live.idle(0);
  const [cut] = live.updates.flatMap(({ update }) =>
    update.sessionUpdate === "context_update" && "reason" in update ? [update] : [],
  );
  expect(cut).toMatchObject({ reason: "too_long", title: expect.stringContaining("too long for the context window") });
  const [, path = ""] = /can read the rest in (.+)\.$/.exec(cut?.title ?? "") ?? [];
  expect(readFileSync(path, "utf8")).toBe(log);
  const sent = JSON.stringify(live.model.chatRequests[0]?.body);
  expect(sent).toContain(`The whole text is in ${path}. Read it in parts, by lines.`);
  expect(sent.length).toBeLessThan(16_000);
  live.model.setScenario({
    turns: [turns.call("read", { file_path: path, offset: 2_001, limit: 3 }), turns.say("Read.")],
  });
  await client.call("session/prompt", { sessionId, promptId: "p2", prompt: say("what is in line 2001?") });
  await live.idle(seq);
  const facts = live.updates.map(({ update }) => update);
  expect(facts.filter(({ sessionUpdate }) => sessionUpdate === "permission_requested")).toEqual([]);
  const results = facts.flatMap((update) =>
    update.sessionUpdate === "tool_call_update" && "outcome" in update && update.outcome ? [update.outcome] : [],
  );
  expect(results).toMatchObject([{ status: "ok", text: expect.stringContaining("line 2001 of the log") }]);
}, 60_000);
