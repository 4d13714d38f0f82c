import type { Fact, StoredFact } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { memoryPages } from "../../ports/fact-pages.ts";
import { compactionDiff } from "./compaction-diff.ts";
import { type PastEntry, pastEntries } from "./past-entries.ts";
import { searchEntries } from "./search-entries.ts";

const logOf = (...updates: (Fact | [agentId: string, update: Fact])[]): StoredFact[] =>
  updates.map((each, index) => {
    const [agentId, update] = Array.isArray(each) ? each : ["main", each];
    return { seq: index + 1, at: "2026-11-22T00:00:00.000Z", agentId, update };
  });
const user = (text: string): Fact => ({
  sessionUpdate: "user_message",
  messageId: text,
  content: [{ type: "text", text }],
  origin: "user",
});
const says = (text: string, ...calls: string[]): Fact => ({
  sessionUpdate: "agent_message",
  messageId: text,
  parts: [
    { type: "text", text },
    ...calls.map((id) => ({
      type: "tool_call" as const,
      toolCallId: id,
      name: "bash",
      input: { command: `run ${id}` },
    })),
  ],
  stop: "end",
  provider: "p",
  model: "m",
});
const result = (toolCallId: string, text: string): Fact => ({
  sessionUpdate: "tool_call_update",
  toolCallId,
  status: "completed",
  outcome: { status: "ok", text, blocks: [], durationMs: 1 },
});
const compaction = (compactionId: string, keepFromSeq: number): Fact => ({
  sessionUpdate: "compaction_update",
  compactionId,
  reason: "manual",
  summary: `summary ${compactionId}`,
  keepFromSeq,
  tokensBefore: 9,
  tokensAfter: 3,
});
const rewind = (rewindId: string, more: object): Fact => ({
  sessionUpdate: "rewind_update",
  rewindId,
  kind: "rewind",
  turnIds: [],
  files: [],
  ...more,
});
const pages = (facts: readonly StoredFact[]) => memoryPages(() => facts);
const labels = (entries: Iterable<PastEntry>) => Array.from(entries, ({ seq, kind }) => `${seq} ${kind}`);
const shown = (facts: readonly StoredFact[]) => labels(pastEntries(pages(facts)));

describe("the past of a session", () => {
  it("the past of a session has messages, replies with their calls, results with the names of their tools, and summaries", () => {
    const facts = logOf(user("go"), says("I look.", "a"), result("a", "found"), compaction("c", 9));
    const entries = [...pastEntries(pages(facts))];
    expect(entries.map(({ kind, name, text, groupSeq }) => [kind, name, text, groupSeq])).toEqual([
      ["person", undefined, "go", 1],
      ["agent", undefined, 'I look.\nbash {"command":"run a"}', 2],
      ["result", "bash", "found", 2],
      ["summary", undefined, "summary c", 4],
    ]);
  });

  it("the past of a session is without what the person went back behind, until it is brought back", () => {
    const facts = logOf(user("one"), user("two"), ["child", user("task")], rewind("r", { fromSeq: 2 }), user("three"));
    expect(shown(facts)).toEqual(["1 person", "3 person", "5 person"]);
    const again = logOf(user("one"), user("two"), rewind("r", { fromSeq: 2 }), rewind("s", { redoOf: "r" }));
    expect(shown(again)).toEqual(["1 person", "2 person"]);
  });
});

describe("a search in the past", () => {
  const facts = logOf(
    user("the port of the server is 8471"),
    says("The port is open."),
    result("x", `${"log line. ".repeat(400)}the server has crashed at src/Pool.ts:12`),
    user("port port port"),
    user("the server port: which port is it?"),
  );
  const search = (query: string) =>
    searchEntries(pastEntries(pages(facts)), query, 9).hits.map(({ entry }) => entry.seq);

  it.each([
    ["what has more of the words comes first", "server port", [5, 1, 4, 2, 3]],
    ["a whole query word for word comes before its words", "port is open", [2, 5, 1, 4]],
    ["rare words count more", "8471 port", [1, 4, 5, 2]],
    ["in whatever case, and within words", "POOL.TS", [3]],
    ["nothing where there is nothing", "nowhere", []],
    ["nothing for no words", "  ", []],
  ])("a search in the past: %s", (_name, query, seqs) => {
    expect(search(query)).toEqual(seqs);
  });

  it("a search in the past shows the surroundings of the rarest word", () => {
    const [found] = searchEntries(pastEntries(pages(facts)), "server crashed", 1).hits;
    expect(found?.excerpt).toMatch(/^….*the server has crashed at src\/Pool\.ts:12$/);
    expect(found?.excerpt.length).toBeLessThan(310);
  });
});

describe("the difference that a compaction makes", () => {
  const facts = logOf(
    user("one"),
    says("a", "x"),
    result("x", "r"),
    user("two"),
    says("b", "y"),
    // A message that arrived while a call ran comes after its result.
    user("meanwhile"),
    result("y", "r"),
    compaction("first", 4),
    user("three"),
    says("c"),
    compaction("second", 6),
  );

  it("the difference that a compaction makes is what was sent before it and not after it", () => {
    const first = compactionDiff(pages(facts), { agentId: "main", compactionId: "first" });
    expect(labels(first?.left ?? [])).toEqual(["1 person", "2 agent", "3 result"]);
    expect(labels(first?.stayed ?? [])).toEqual(["4 person", "5 agent", "6 person", "7 result"]);
    const second = compactionDiff(pages(facts), { agentId: "main" });
    expect(second?.compaction.compactionId).toBe("second");
    expect(labels(second?.left ?? [])).toEqual(["4 person", "5 agent", "7 result", "8 summary"]);
    expect(labels(second?.stayed ?? [])).toEqual(["6 person", "9 person", "10 agent"]);
  });

  it("the difference that a compaction makes is unknown where there is none, or it was taken back", () => {
    expect(compactionDiff(pages(facts), { agentId: "child" })).toBeUndefined();
    expect(compactionDiff(pages(facts), { agentId: "main", compactionId: "third" })).toBeUndefined();
    const back = [...facts, ...logOf(...facts.map(() => user("x")), rewind("r", { fromSeq: 1 })).slice(-1)];
    expect(compactionDiff(pages(back), { agentId: "main" })).toBeUndefined();
  });
});
