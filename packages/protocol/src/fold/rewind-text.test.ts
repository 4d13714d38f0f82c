import { describe, expect, it } from "vitest";
import type { RestoredFile, UpdateOf } from "../vocabulary/updates.ts";
import { changedNames, changesTitle, rewindDetails, rewindTitle } from "./rewind-text.ts";

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

describe("what people read of changes and of taking them back", () => {
  it.each<[string, Rewind]>([
    ["Took back the changes of one turn: 1 file.", update({ files: [restored] })],
    ["Took back the changes of 2 turns: 0 files.", update({ turnIds: ["t1", "t2"] })],
    ["Put back: 1 file.", update({ kind: "redo", files: [restored] })],
    ["Messages count again.", update({ kind: "redo", before: undefined })],
    ["Went back in the conversation.", update({ kind: "rewind", before: undefined, fromSeq: 3, turnIds: [] })],
    [
      "Went back in the conversation. Took back the changes of one turn: 1 file.",
      update({ kind: "rewind", fromSeq: 3, files: [restored] }),
    ],
    [
      "Took back a part of a turn: 1 file.",
      update({ kind: "rewind", turnIds: [], toCheckpoint: "X", files: [restored] }),
    ],
  ])("%s", (text, fact) => {
    expect(rewindTitle(fact)).toBe(text);
  });

  it("names files by what became of them, and reasons once", () => {
    const files: RestoredFile[] = [
      restored,
      { path: "b.ts", outcome: "deleted" },
      { path: "c.ts", outcome: "merged" },
      { path: "d.ts", outcome: "kept", why: "it was deleted since" },
      { path: "e.ts", outcome: "kept", why: "it was deleted since" },
    ];
    expect(rewindDetails(files).split("\n")).toEqual([
      "Restored: a.ts.",
      "Removed: b.ts.",
      "Merged with what was changed since: c.ts.",
      "Left as they are: d.ts, e.ts (it was deleted since).",
    ]);
  });

  it("counts what it does not name", () => {
    const many = Array.from(
      { length: 12 },
      (_, n) => ({ path: `${n}`, change: "modify", added: 1, removed: 0 }) as const,
    );
    const changes = { files: many, moreFiles: 3, added: 15, removed: 0 };
    expect(changesTitle(changes)).toBe("Changed 15 files, +15 −0.");
    expect(changedNames(changes)).toBe("0, 1, 2, 3, 4, 5, 6, 7 and 7 more");
  });
});
