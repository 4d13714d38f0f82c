import type { StoredFact, UpdateOf } from "@harness/protocol";
import {
  call,
  calling,
  failing,
  MemoryLog,
  MemorySession,
  numRuns,
  type ScriptedEvent,
  saying,
} from "@harness/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byTask, send, start } from "../../test/agent-script.ts";

/** One reply of a subagent. */
type Move =
  | { kind: "send"; to: number; wait: boolean }
  | { kind: "look" }
  | { kind: "fail" }
  | { kind: "child"; tool: "start_subagent" | "agent" };
/** An event between two replies: the next reply arrives, or the user acts. */
type Step = { kind: "reply"; which: number } | { kind: "cancel"; who: number } | { kind: "write"; to: number };
type Plan = { agents: Move[][]; steps: Step[]; crashAfter: number };

const AGENTS = 3;
/** Work that is not over after this many rounds of replies never will be. */
const MAX_ROUNDS = 200;
const place = fc.nat({ max: AGENTS });
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("send" as const), to: place, wait: fc.boolean() }) },
  { weight: 2, arbitrary: fc.constant({ kind: "look" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "fail" as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("child" as const),
      tool: fc.constantFrom("start_subagent" as const, "agent" as const),
    }),
  },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: fc.constant("reply" as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cancel" as const), who: place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("write" as const), to: place }) },
);
const plan: fc.Arbitrary<Plan> = fc.record({
  agents: fc.array(fc.array(move, { maxLength: 5 }), { minLength: AGENTS, maxLength: AGENTS }),
  steps: fc.array(step, { maxLength: 60 }),
  crashAfter: fc.nat(),
});

const idOf = (n: number) => (n === 0 ? "main" : `agent-${n}`);

function replyOf(move: Move, id: string): ScriptedEvent[] {
  if (move.kind === "send") return calling(send(id, idOf(move.to), `message ${id}`, move.wait));
  if (move.kind === "look") return calling(call(id, "read", { file_path: "x" }));
  return move.kind === "fail" ? failing("network", "no route") : calling(call(id, move.tool, { task: "leaf" }));
}

/** Every reply waits in a list until the plan releases it. */
function heldScript({ agents }: Plan) {
  const held: (() => void)[] = [];
  const tasks = Object.fromEntries(
    agents.map((moves, n) => [
      `task-${n}`,
      [...moves.map((each, m) => replyOf(each, `c${n}-${m}`)), saying(`done ${n}`)],
    ]),
  );
  const script = byTask({
    ...tasks,
    leaf: [calling(send("q", "parent", "message q", true)), saying("leaf")],
    go: [
      calling(...agents.map((_, n) => start(`s${n}`, `task-${n}`, n === 0 ? { background: true } : {}))),
      saying("main"),
    ],
  });
  const slow: typeof script = (request, n) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held.push(resolve);
    return [{ type: "until", promise }, ...script(request, n)];
  };
  return { held, slow };
}

/** Resolves after everything that follows from what has happened so far. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

async function play(plan: Plan): Promise<MemorySession> {
  const { held, slow } = heldScript(plan);
  const memory = new MemorySession({ script: slow });
  memory.prompt("go");
  await settled();
  for (const [n, each] of plan.steps.entries()) {
    if (each.kind === "reply") held.splice(each.which % Math.max(1, held.length), 1)[0]?.();
    else if (each.kind === "cancel") memory.session.cancel(idOf(each.who));
    else if (each.to > 0)
      memory.session.promptAgent(idOf(each.to), {
        promptId: `x${n}`,
        content: [{ type: "text", text: `person ${n}` }],
      });
    await settled();
  }
  let isOver = false;
  const idle = memory.session.idle().then(() => {
    isOver = true;
  });
  for (let round = 0; !isOver; round += 1) {
    const states = memory.session.agents().map(({ agentId, state, lastAction }) => `${agentId} ${state} ${lastAction}`);
    if (round > MAX_ROUNDS) throw new Error(`Agents wait for each other: ${states.join("; ")}`);
    for (const open of held.splice(0)) open();
    await settled();
  }
  await idle;
  return memory;
}

type InboxFact<K extends "inbox_update" | "user_message"> = { agentId: string; seq: number; update: UpdateOf<K> };
const only = <K extends "inbox_update" | "user_message">(facts: readonly StoredFact[], kind: K): InboxFact<K>[] =>
  facts.filter(({ update }) => update.sessionUpdate === kind) as unknown as InboxFact<K>[];

/** Every message reported as queued is read or dropped, and delivered at most once; each result is delivered once. */
function expectNothingLost(memory: MemorySession): void {
  const { facts } = memory.log;
  const inbox = only(facts, "inbox_update");
  const messages = only(facts, "user_message");
  const times = (messageId: string) => messages.filter(({ update }) => update.messageId === messageId).length;
  const queued = inbox.filter(({ update }) => update.state === "queued");
  for (const { agentId, update } of queued) {
    const { messageId, fromAgentId } = update;
    const ends = inbox.filter((each) => each.update.messageId === messageId && each.update.state !== "queued");
    expect(
      ends.map((each) => each.update.state),
      `the ends of ${messageId} to ${agentId}`,
    ).toHaveLength(1);
    expect(times(messageId)).toBeLessThanOrEqual(1);
    if (ends[0]?.update.state === "read") expect(times(messageId)).toBe(1);
    // The main agent outlives them all: it is notified about each message of its own that was dropped.
    else if (fromAgentId === "main") expect(times(`${messageId}-dropped`)).toBe(1);
  }
  const sent = memory.facts("tool_call_update").filter(({ outcome }) => outcome?.text.startsWith("Queued for "));
  const fromAgents = queued.filter(({ update }) => update.fromAgentId !== undefined);
  // A kill may come between a message and the answer to the call that sent it, never the other way round.
  expect(sent.length).toBeLessThanOrEqual(fromAgents.length);
  for (const { update } of facts) {
    if (update.sessionUpdate !== "subagent_update" || update.state === "running") continue;
    const isOfMain = facts.some((fact) => fact.agentId === "main" && fact.update === update);
    expect(update.resultId).toBeDefined();
    if (isOfMain) expect(times(update.resultId ?? ""), `the result of ${update.childAgentId}`).toBe(1);
  }
  const { live, folded } = memory.states;
  expect(live).toEqual(folded);
  for (const agent of live.agents.values()) expect([...agent.inbox.keys()], agent.agentId).toEqual([]);
}

describe("inboxes under any interleaving", () => {
  it("inboxes lose no message that was called queued and deliver none twice, whoever sends, ends, fails or is cancelled", async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (each) => {
        const memory = await play(each);
        await memory.session.idle();
        const after = new MemorySession({ script: () => saying("fine"), log: memory.log });
        await after.say("on");
        expectNothingLost(after);
      }),
      { numRuns: numRuns(150) },
    );
  });

  it("inboxes lose no message that was called queued and deliver none twice, whenever the program is killed", async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (each) => {
        const { lines } = (await play(each)).log;
        const kept = lines.slice(0, 3 + (each.crashAfter % lines.length));
        const after = new MemorySession({ script: () => saying("fine"), log: new MemoryLog("s1", "/work", kept) });
        await after.say("on");
        expectNothingLost(after);
        const again = new MemorySession({
          script: () => saying("fine"),
          log: new MemoryLog("s1", "/work", after.log.lines),
        });
        expect(again.log.lines).toEqual(after.log.lines);
      }),
      { numRuns: numRuns(200) },
    );
  });
});
