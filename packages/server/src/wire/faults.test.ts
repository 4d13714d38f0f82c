// The eight faults by which agents are compared (429 with Retry-After, 500, 529, cut arguments, disconnect, malformed
// chunk, an end without the closing event; a hang has a test with a clock of its own in providers), in the first reply
// of a real server process: the turn ends well, nothing is doubled, nothing broken is run.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ScenarioInput, turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LiveServer, say } from "../../test/live-server.ts";

type Fault = NonNullable<NonNullable<ScenarioInput["turns"]>[number]["fault"]>;

const faults: [name: string, fault: Fault][] = [
  ["429 with Retry-After", { kind: "status", status: 429, retryAfter: "0" }],
  ["500", { kind: "status", status: 500 }],
  ["502 with a page of HTML", { kind: "status", status: 502 }],
  ["529", { kind: "status", status: 529 }],
  ["a reset before the answer", { kind: "reset" }],
  ["a disconnect in the text", { kind: "disconnect", afterEvents: 3 }],
  ["a malformed chunk, and the end", { kind: "malformedChunk", rest: "end" }],
  ["a malformed chunk in the middle", { kind: "malformedChunk", rest: "continue" }],
  ["an error object in the stream", { kind: "streamError" }],
  ["an end without the closing event", { kind: "unfinished" }],
];

let live: LiveServer;
beforeAll(async () => {
  live = await LiveServer.start({ turns: [] });
  mkdirSync(live.cwd);
});
afterAll(() => live.close());

describe("a fault in the first reply", () => {
  it.each(faults)("is survived: %s", async (_name, fault) => {
    live.model.setScenario({ turns: [{ ...turns.say("All of the answer is here."), fault }] });
    live.updates.length = 0;
    const { client } = await live.connect();
    const { session } = await client.call("session/new", { cwd: live.cwd });
    await client.call("session/prompt", { sessionId: session.sessionId, promptId: "p", prompt: say("hi") });
    const { update } = await live.idle();
    expect(update).toMatchObject({ stopReason: "end_turn" });
    const replies = live.updates.flatMap((each) =>
      each.update.sessionUpdate === "agent_message" ? [each.update.parts] : [],
    );
    expect(replies).toEqual([[{ type: "text", text: "All of the answer is here." }]]);
    await client.close();
  });

  it("does not run a call with truncated arguments; the model is informed and repeats it in full", async () => {
    const content = "x".repeat(400);
    const call = turns.call("write", { file_path: "big.txt", content });
    live.model.setScenario({
      turns: [{ ...call, fault: { kind: "cutArguments", keepCharacters: 40 } }, turns.say("Done.")],
    });
    live.updates.length = 0;
    const asked = live.model.chatRequests.length;
    const { client } = await live.connect();
    const { session } = await client.call("session/new", { cwd: live.cwd, config: { permissionMode: "auto" } });
    await client.call("session/prompt", { sessionId: session.sessionId, promptId: "p", prompt: say("hi") });
    expect((await live.idle()).update).toMatchObject({ stopReason: "end_turn" });
    const outcomes = live.updates.flatMap(({ update }) =>
      update.sessionUpdate === "tool_call_update" && update.outcome ? [update.outcome.status] : [],
    );
    expect(outcomes).toEqual(["invalid", "ok"]);
    expect(readFileSync(join(live.cwd, "big.txt"), "utf8")).toBe(content);
    expect(live.model.chatRequests.length - asked).toBe(3);
    await client.close();
  });
});
