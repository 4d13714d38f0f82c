import { describe, expect, it } from "vitest";
import { noticeOf } from "./message-rows.ts";

const at = "2026-11-21T10:00:00.000Z";

describe("the notice of a turn's changes", () => {
  it("counts the files and names the first eight", () => {
    const files = Array.from({ length: 12 }, (_, n) => ({
      path: `${n}`,
      change: "modify" as const,
      added: 1,
      removed: 0,
    }));
    expect(noticeOf({ kind: "changes", id: "c1", files, moreFiles: 3, added: 15, removed: 0, at })).toEqual({
      severity: "info",
      title: "Changed 15 files, +15 −0.",
      description: "0, 1, 2, 3, 4, 5, 6, 7 and 7 more",
    });
  });
});

describe("the notice of an undo", () => {
  it("has the text of its fact", () => {
    const text = { title: "Reverted the changes of one turn: 1 file.", description: "Restored: a." };
    expect(noticeOf({ kind: "rewind", id: "r1", rewind: "undo", ...text, at })).toMatchObject(text);
  });

  it("describes the undo of an older version that wrote no text", () => {
    const files = [
      { path: "a", outcome: "restored" as const },
      { path: "b", outcome: "kept" as const, why: "you have changed it" },
    ];
    expect(noticeOf({ kind: "rewind", id: "r1", rewind: "undo", files, at })).toMatchObject({
      title: "Changes were undone.",
      description: "Restored: a.\nLeft as it is: b (you have changed it).",
    });
  });
});
