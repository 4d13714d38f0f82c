import { describe, expect, it } from "vitest";
import type { FileChange } from "../vocabulary/files/file-changes.ts";
import { type Fact, ROOT_AGENT, type StoredFact } from "../vocabulary/updates.ts";
import { applyUpdate, emptySession, fold } from "./session-state.ts";
import { sumAgentChanges, turnStretches } from "./undo-state.ts";

/** Facts of the root agent in order; `turnId` as given. */
function story(...entries: [turnId: string | undefined, update: Fact][]): StoredFact[] {
  return entries.map(([turnId, update], index) => ({
    seq: index + 1,
    at: `2026-11-21T10:00:0${index % 10}.000Z`,
    agentId: ROOT_AGENT,
    ...(turnId === undefined ? {} : { turnId }),
    update,
  }));
}

const says = (messageId: string): Fact => ({
  sessionUpdate: "user_message",
  messageId,
  content: [{ type: "text", text: messageId }],
  origin: "user",
});
const kept = (checkpointId: string, reason: "turn" | "command" | "undo" = "turn"): Fact => ({
  sessionUpdate: "checkpoint",
  checkpointId,
  reason,
});
const file = (path: string, added: number, removed: number): FileChange => ({ path, change: "modify", added, removed });
const changed = (before: string, after: string, ...files: FileChange[]): Fact => ({
  sessionUpdate: "turn_changes",
  before,
  after,
  files,
  moreFiles: 0,
  added: files.reduce((sum, each) => sum + each.added, 0),
  removed: files.reduce((sum, each) => sum + each.removed, 0),
});
type Rewind = Extract<Fact, { sessionUpdate: "rewind_update" }>;
const rewound = (fields: Partial<Rewind> & Pick<Rewind, "rewindId" | "kind">): Rewind => ({
  sessionUpdate: "rewind_update",
  turnIds: [],
  files: [],
  ...fields,
});

const twoTurns: [string | undefined, Fact][] = [
  ["t1", says("m1")],
  ["t1", kept("A")],
  ["t1", kept("B")],
  ["t1", changed("A", "B", file("a.ts", 10, 2), file("b.ts", 1, 0))],
  ["t2", says("m2")],
  ["t2", kept("B")],
  ["t2", kept("X", "command")],
  ["t2", kept("C")],
  ["t2", changed("B", "C", file("a.ts", 1, 1))],
];

it("a message is not compared with all that there were", () => {
  const state = emptySession("s");
  let looks = 0;
  const first = {
    get messageId() {
      looks += 1;
      return "m1";
    },
    ...{ seq: 1, since: 1 },
  };
  state.undo.messages.push(first);
  const [said] = story([undefined, says("m2")]);
  if (said) applyUpdate(state, { sessionId: "s", ...said });
  expect(state.undo.messages).toHaveLength(2);
  expect(looks).toBe(0);
});

describe("the state of undo", () => {
  it("has every turn that changed files, and no other", () => {
    const facts = story(...twoTurns, ["t3", says("m3")], ["t3", kept("C")], ["t3", kept("C")]);
    const { undo } = fold("s", facts);
    expect(undo.turns.map(({ turnId, before, after }) => [turnId, before, after])).toEqual([
      ["t1", "A", "B"],
      ["t2", "B", "C"],
    ]);
    expect(undo.commands).toMatchObject([{ checkpointId: "X", turnId: "t2" }]);
    expect(undo.messages).toEqual([
      { messageId: "m1", seq: 1, since: 1 },
      { messageId: "m2", seq: 5, since: 5 },
      { messageId: "m3", seq: 10, since: 10 },
    ]);
    expect(sumAgentChanges(undo)).toEqual({ added: 12, removed: 3, changedFiles: 2 });
  });

  it("has no end of a turn that is running or crashed", () => {
    const { undo } = fold("s", story(["t1", says("m1")], ["t1", kept("A")]));
    expect(undo.turns).toMatchObject([{ turnId: "t1", before: "A" }]);
    expect(undo.turns[0]?.after).toBeUndefined();
  });

  it("does not count an undone turn until it is redone", () => {
    const undone: [undefined, Fact] = [
      undefined,
      rewound({ rewindId: "w1", kind: "undo", turnIds: ["t2"], before: "C", after: "B" }),
    ];
    const one = fold("s", story(...twoTurns, undone));
    expect(sumAgentChanges(one.undo)).toEqual({ added: 11, removed: 2, changedFiles: 2 });
    const redone: [undefined, Fact] = [
      undefined,
      rewound({ rewindId: "w2", kind: "redo", turnIds: ["t2"], redoOf: "w1" }),
    ];
    const two = fold("s", story(...twoTurns, undone, redone));
    expect(sumAgentChanges(two.undo)).toEqual({ added: 12, removed: 3, changedFiles: 2 });
    expect(two.undo.rewinds).toMatchObject([{ rewindId: "w1", redone: true }]);
  });

  it("counts an undone turn whose files were all kept", () => {
    const files = [{ path: "a.ts", outcome: "kept" as const, why: "it was changed since" }];
    const left = rewound({ rewindId: "w1", kind: "undo", turnIds: ["t2"], before: "C", after: "C", files });
    const { undo } = fold("s", story(...twoTurns, [undefined, left]));
    expect(undo.turns[1]).toMatchObject({ reverted: true });
    expect(sumAgentChanges(undo)).toEqual({ added: 12, removed: 3, changedFiles: 2 });
  });

  it("counts only the kept files of an undone turn", () => {
    const files = [
      { path: "a.ts", outcome: "restored" as const },
      { path: "b.ts", outcome: "kept" as const, why: "it was changed since" },
    ];
    const undone = rewound({ rewindId: "w1", kind: "undo", turnIds: ["t1"], before: "C", after: "D", files });
    const { undo } = fold("s", story(...twoTurns.slice(0, 4), [undefined, undone]));
    expect(sumAgentChanges(undo)).toEqual({ added: 1, removed: 0, changedFiles: 1 });
    const redone = rewound({ rewindId: "w2", kind: "redo", turnIds: ["t1"], redoOf: "w1" });
    const again = fold("s", story(...twoTurns.slice(0, 4), [undefined, undone], [undefined, redone]));
    expect(sumAgentChanges(again.undo)).toEqual({ added: 11, removed: 2, changedFiles: 2 });
  });

  it("has the checkpoint to which a part of a turn was reverted", () => {
    const left = { files: [file("c.ts", 3, 0)], moreFiles: 0, added: 3, removed: 0 };
    const back: [undefined, Fact] = [undefined, rewound({ rewindId: "w1", kind: "rewind", toCheckpoint: "X", left })];
    const { undo } = fold("s", story(...twoTurns, back));
    expect(undo.turns[1]?.revertedTo).toBe("X");
    expect(sumAgentChanges(undo)).toEqual({ added: 14, removed: 2, changedFiles: 3 });
    const redone: [undefined, Fact] = [undefined, rewound({ rewindId: "w2", kind: "redo", redoOf: "w1" })];
    const again = fold("s", story(...twoTurns, back, redone)).undo;
    expect(again.turns[1]?.revertedTo).toBeUndefined();
    expect(sumAgentChanges(again)).toEqual({ added: 12, removed: 3, changedFiles: 2 });
  });
});

describe("messages that a rewind hides", () => {
  const calls: [string, Fact][] = [
    ["t1", { sessionUpdate: "tool_call_update", toolCallId: "c1", status: "pending", name: "bash" }],
    ["t2", { sessionUpdate: "tool_call_update", toolCallId: "c2", status: "pending", name: "bash" }],
  ];
  const [first, second] = calls;
  const talk: [string | undefined, Fact][] = [
    ["t1", says("m1")],
    ...(first ? [first] : []),
    ["t2", says("m2")],
    ...(second ? [second] : []),
  ];
  const back: [undefined, Fact] = [undefined, rewound({ rewindId: "w1", kind: "rewind", fromSeq: 3 })];
  const items = (facts: StoredFact[]) =>
    fold("s", facts)
      .agents.get(ROOT_AGENT)
      ?.items.map(({ id }) => id);

  it("are shown again after a redo, with their calls in place", () => {
    expect(items(story(...talk, back))).toEqual(["m1", "c1", "w1"]);
    const redone: [undefined, Fact] = [undefined, rewound({ rewindId: "w2", kind: "redo", redoOf: "w1" })];
    const facts = story(...talk, back, redone);
    expect(items(facts)).toEqual(["m1", "c1", "m2", "c2", "w1", "w2"]);
    const state = emptySession("s");
    for (const fact of facts) applyUpdate(state, { sessionId: "s", ...fact });
    const ended: Fact = { sessionUpdate: "tool_call_update", toolCallId: "c2", status: "completed" };
    applyUpdate(state, { sessionId: "s", seq: 7, at: "", agentId: ROOT_AGENT, update: ended });
    expect(state.agents.get(ROOT_AGENT)?.items[3]).toMatchObject({ id: "c2", status: "completed" });
    expect(state.undo.messages.map(({ messageId }) => messageId)).toEqual(["m1", "m2"]);
  });

  it("nest: after two rewinds they return in two steps", () => {
    const further: [undefined, Fact] = [undefined, rewound({ rewindId: "w2", kind: "rewind", fromSeq: 1 })];
    expect(items(story(...talk, back, further))).toEqual(["w2"]);
    const once: [undefined, Fact] = [undefined, rewound({ rewindId: "w3", kind: "redo", redoOf: "w2" })];
    expect(items(story(...talk, back, further, once))).toEqual(["m1", "c1", "w1", "w2", "w3"]);
    const twice: [undefined, Fact] = [undefined, rewound({ rewindId: "w4", kind: "redo", redoOf: "w1" })];
    expect(items(story(...talk, back, further, once, twice))).toEqual(["m1", "c1", "m2", "c2", "w1", "w2", "w3", "w4"]);
  });

  it("leave the transcript unchanged when the message is unknown", () => {
    const unknown: [undefined, Fact] = [undefined, rewound({ rewindId: "w1", kind: "rewind", fromSeq: 99 })];
    expect(items(story(...talk, unknown))).toEqual(["m1", "c1", "m2", "c2", "w1"]);
  });
});

describe("files that were not saved when a turn changed them", () => {
  const unsaved = (checkpointId: string, ...paths: string[]): Fact => ({
    sessionUpdate: "checkpoint",
    checkpointId,
    reason: "unsaved",
    paths,
  });
  const turn: [string | undefined, Fact][] = [
    ["t1", says("m1")],
    ["t1", kept("A")],
    ["t1", unsaved("A+", "a.ts")],
    ["t1", kept("X", "command")],
    ["t1", unsaved("A++", "a.ts", "b.ts")],
    ["t1", kept("B")],
    ["t1", changed("A", "B", file("a.ts", 1, 1), file("b.ts", 1, 1))],
  ];

  it("are reverted to their first such text, and the others to what was on disk", () => {
    const { turns, commands } = fold("s", story(...turn)).undo;
    const [one] = turns;
    if (!one) throw new Error("The turn is missing.");
    expect(turnStretches(one, "B")).toEqual([
      { before: "A+", after: "B", paths: ["a.ts"] },
      { before: "A++", after: "B", paths: ["b.ts"] },
      { before: "A", after: "B", except: ["a.ts", "b.ts"] },
    ]);
    expect(turnStretches(one, "B", commands[0])).toEqual([
      { before: "A++", after: "B", paths: ["a.ts", "b.ts"] },
      { before: "X", after: "B", except: ["a.ts", "b.ts"] },
    ]);
  });

  it("do not keep a turn that has changed nothing, but one that has taken their text back", () => {
    const same: [string | undefined, Fact][] = [...turn.slice(0, 3), ["t1", kept("A")]];
    expect(fold("s", story(...same)).undo.turns).toEqual([]);
    const { turns } = fold("s", story(...same, ["t1", changed("A+", "A", file("a.ts", 1, 1))])).undo;
    expect(turns).toMatchObject([{ before: "A+", after: "A", reverted: false }]);
  });

  it("are tried again from there if they could not be written", () => {
    const files = [
      { path: "a.ts", outcome: "failed" as const, why: "the disk is full" },
      { path: "b.ts", outcome: "restored" as const },
    ];
    const undone = rewound({ rewindId: "w1", kind: "undo", turnIds: ["t1"], before: "B", after: "C", files });
    const { turns } = fold("s", story(...turn, [undefined, undone])).undo;
    expect(turns[0]?.unwritten).toEqual([{ before: "A+", after: "B", paths: ["a.ts"] }]);
  });
});
