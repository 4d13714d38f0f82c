import type { RestoredFile, UpdateOf } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { rewindText } from "./rewind-text.ts";

type Rewind = UpdateOf<"rewind_update">;
const update = (fields: Partial<Rewind>): Rewind => ({
  sessionUpdate: "rewind_update",
  rewindId: "w",
  kind: "undo",
  turnIds: ["t1"],
  files: [],
  before: "A",
  ...fields,
});
const restored: RestoredFile = { path: "a.ts", outcome: "restored" };

describe("the text of an undo, redo or rewind", () => {
  it.each<[string, Rewind]>([
    ["Reverted the changes of one turn: 1 file.", update({ files: [restored] })],
    ["No file had to be changed to revert the changes of 2 turns.", update({ turnIds: ["t1", "t2"] })],
    ["Redone: 1 file.", update({ kind: "redo", files: [restored] })],
    ["The messages are back in the conversation.", update({ kind: "redo", before: undefined })],
    ["Rewound the conversation.", update({ kind: "rewind", before: undefined, fromSeq: 3, turnIds: [] })],
    [
      "Rewound the conversation. Reverted the changes of one turn: 1 file.",
      update({ kind: "rewind", fromSeq: 3, files: [restored] }),
    ],
    ["Reverted part of a turn: 1 file.", update({ kind: "rewind", turnIds: [], toCheckpoint: "X", files: [restored] })],
    [
      "No file could be reverted for the changes of one turn.",
      update({ files: [{ path: "a.ts", outcome: "kept", why: "you changed the same lines" }] }),
    ],
  ])("the text of an undo, redo or rewind: %s", (text, fact) => {
    expect(rewindText(fact).title).toBe(text);
  });

  it("the text of an undo, redo or rewind names files by what became of them, and reasons once", () => {
    const files: RestoredFile[] = [
      restored,
      { path: "b.ts", outcome: "deleted" },
      { path: "c.ts", outcome: "merged" },
      { path: "d.ts", outcome: "kept", why: "it was deleted after that" },
      { path: "e.ts", outcome: "kept", why: "it was deleted after that" },
    ];
    expect(rewindText(update({ files })).description?.split("\n")).toEqual([
      "Restored: a.ts.",
      "Removed: b.ts.",
      "Merged with later changes: c.ts.",
      "Left as they are: d.ts, e.ts (it was deleted after that).",
    ]);
  });

  it("the text of an undo, redo or rewind counts the files it does not name", () => {
    const files = Array.from({ length: 12 }, (_, n) => ({ path: `${n}`, outcome: "deleted" }) as const);
    expect(rewindText(update({ files })).description).toBe("Removed: 0, 1, 2, 3, 4, 5, 6, 7 and 4 more.");
  });
});
