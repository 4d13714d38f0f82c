// The eight faults by which agents are compared (429 with Retry-After, 500, 529, cut arguments, disconnect, malformed
// chunk, an end without the closing event; a hang has a test with a clock of its own in providers), in the first reply
// of a real server process: the turn ends well, nothing is doubled, nothing broken is run.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { HarnessClient } from "@harness/client";
import type { SessionUpdate } from "@harness/protocol";
import { type ScenarioInput, turns } from "@harness/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LiveServer, say } from "../support/live-server.ts";

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

const CONTENT = "x".repeat(400);
const write = turns.call("write", { file_path: "big.txt", content: CONTENT });
/** The model's answers to "fault N;". */
const lane = (n: number, ...script: NonNullable<ScenarioInput["turns"]>) => ({ match: `fault ${n};`, turns: script });

let live: LiveServer;
let client: HarnessClient;
beforeAll(async () => {
  live = await LiveServer.start({
    lanes: [
      ...faults.map(([, fault], n) => lane(n, { ...turns.say("All of the answer is here."), fault })),
      lane(
        faults.length,
        { ...write, fault: { kind: "cutArguments", keepCharacters: 40 } },
        turns.say("Done.", { repeat: "always" }),
      ),
    ],
  });
  mkdirSync(live.cwd);
  ({ client } = await live.connect());
});
afterAll(() => live.close());

/** The updates of a turn of a new session. */
async function turnOf(n: number): Promise<SessionUpdate[]> {
  const config = { permissionMode: "allow-all" } as const;
  const { sessionId } = (await client.call("session/new", { cwd: live.cwd, config })).session;
  await client.call("session/prompt", { sessionId, promptId: `p${n}`, prompt: say(`fault ${n}; go on`) });
  const isOf = (each: SessionUpdate) => each.sessionId === sessionId;
  const { update } = await live.until(
    (each) => isOf(each) && each.update.sessionUpdate === "state_update" && each.update.stopReason !== undefined,
  );
  expect(update).toMatchObject({ state: "idle", stopReason: "end_turn" });
  return live.updates.filter(isOf);
}

// Concurrent: most of the time is the wait before a request is repeated.
describe.concurrent("a fault in the first reply", () => {
  it.each(faults.map(([name], n) => [name, n] as const))("is survived: %s", async (_name, n) => {
    const replies = (await turnOf(n)).flatMap(({ update }) =>
      update.sessionUpdate === "agent_message" ? [update.parts] : [],
    );
    expect(replies).toEqual([[{ type: "text", text: "All of the answer is here." }]]);
  });

  it("does not run a call with truncated arguments; the model is informed and repeats it in full", async () => {
    const outcomes = (await turnOf(faults.length)).flatMap(({ update }) =>
      update.sessionUpdate === "tool_call_update" && update.outcome ? [update.outcome.status] : [],
    );
    expect(outcomes).toEqual(["invalid", "ok"]);
    expect(readFileSync(join(live.cwd, "big.txt"), "utf8")).toBe(CONTENT);
    const asked = live.model.chatRequests.filter(({ body }) =>
      JSON.stringify(body).includes(`fault ${faults.length};`),
    );
    expect(asked).toHaveLength(3);
  });
});
