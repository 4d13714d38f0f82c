import { type Delta, type Fact, ROOT_AGENT, type StoredFact, textOf } from "@harness/protocol";
import { sampleFacts } from "./sample-facts.ts";

type Entry = { agentId: string; turnId: string; update: Fact };

const START = Date.UTC(2026, 10, 21, 14, 30, 22);
const CHILD = "a1";

const main = (turnId: string, ...updates: Fact[]): Entry[] =>
  updates.map((update) => ({ agentId: ROOT_AGENT, turnId, update }));
const child = (...updates: Fact[]): Entry[] => updates.map((update) => ({ agentId: CHILD, turnId: "t2", update }));

const {
  user_message,
  agent_message,
  tool_call_update,
  subagent_update,
  process_update,
  permission_requested,
  inbox_update,
} = sampleFacts;
const running: Fact = { sessionUpdate: "state_update", state: "running" };
const waiting: Fact = { sessionUpdate: "state_update", state: "requires_action" };
const idle: Fact = { sessionUpdate: "state_update", state: "idle", stopReason: "end_turn" };
const cost = { usd: 0.5, unpricedRequests: 0 };
const done: Fact = { ...agent_message, messageId: "m3", parts: [{ type: "text", text: "Done." }], stop: "end", cost };

/** A fact of a kind that a later version writes. */
const unknown = { sessionUpdate: "weather_update", sky: "clear" } as unknown as Fact;

/** A call made by the user, with the files that it read and wrote. */
const ownCall: Fact = {
  ...tool_call_update,
  toolCallId: "c2",
  byPerson: { command: "npm test", share: true },
  readsSecrets: true,
  outcome: {
    ...{ status: "ok", text: "3 passed", durationMs: 2 },
    blocks: [{ type: "diff", path: "/project/a.ts", change: "modify", hunks: "", added: 1, removed: 0 }],
    files: [{ path: "/project/a.ts", how: "changed", sizeBytes: 3, sha256: "cd".repeat(32) }],
  },
};

const entries: readonly Entry[] = [
  ...main("t1", running, ...Object.values(sampleFacts)),
  // A redo of the rewind, and a turn that ends, with a subagent in it.
  ...main("t2", { ...sampleFacts.rewind_update, rewindId: "w2", kind: "redo", redoOf: "w1" }, running),
  ...main("t2", { ...user_message, messageId: "m4", promptId: "q" }, ownCall, subagent_update, process_update),
  ...child(running, user_message, agent_message, tool_call_update, done, inbox_update, idle),
  ...main("t2", { ...subagent_update, state: "completed", output: "Found." }, unknown, done, idle),
  // A turn interrupted by a crash, with everything that may be open in it.
  ...main("t3", { ...user_message, messageId: "m5", promptId: "prompt3" }, running),
  ...main("t3", {
    ...agent_message,
    messageId: "m6",
    parts: [{ type: "tool_call", toolCallId: "c3", name: "bash", input: {} }],
  }),
  ...main("t3", waiting, {
    ...permission_requested,
    permission: { ...permission_requested.permission, permissionId: "p3", toolCallId: "c3" },
  }),
  ...main("t3", { ...subagent_update, childAgentId: "a2" }, { ...process_update, processId: "p2", state: "running" }),
];

/** The log of a session with a fact of every kind, a subagent, and an interrupted last turn. */
export const sampleLog: readonly StoredFact[] = entries.map((entry, index) => ({
  seq: index + 1,
  at: new Date(START + index * 1000).toISOString(),
  ...entry,
}));

/** The deltas that precede a fact; the fact contains everything that they say. */
export function deltasBefore({ update }: StoredFact): Delta[] {
  if (update.sessionUpdate === "agent_message") {
    const { messageId } = update;
    const text = textOf(update.parts);
    const half = Math.ceil(text.length / 2);
    return [
      { sessionUpdate: "agent_message_chunk", messageId, offset: 0, text: text.slice(0, half) },
      { sessionUpdate: "agent_message_chunk", messageId, offset: half, text: text.slice(half) },
    ];
  }
  if (update.sessionUpdate === "tool_call_update" && update.outcome) {
    const { toolCallId, outcome } = update;
    return [{ sessionUpdate: "tool_output_chunk", toolCallId, offset: 0, text: outcome.text }];
  }
  return [];
}
