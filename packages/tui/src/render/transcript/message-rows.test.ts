import { noticeOf } from "@harness/client/actions";
import { describe, expect, it } from "vitest";
import { usualKeymap } from "../../keymap/keymap.ts";
import { textOfRow } from "../../text/style.ts";
import { compactionRows, userRows } from "./message-rows.ts";

const at = "2026-11-21T10:00:00.000Z";

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

describe("an image of a message", () => {
  it.each([1, 2, 3, 4])("has its size, also where its last group is padded: %d bytes", (size) => {
    const data = Buffer.alloc(size).toString("base64");
    const content = [{ type: "image" as const, name: "a.png", mimeType: "image/png", data }];
    const item = { kind: "user" as const, id: "m1", origin: "user" as const, content, at };
    const rows = userRows(item, { width: 60, open: false, keys: usualKeymap.names });
    expect(rows.map(textOfRow)).toEqual([`▌ [image a.png, image/png, ${size} ${size === 1 ? "byte" : "bytes"}]`]);
  });
});

describe("the row of a compaction", () => {
  const item = {
    kind: "compaction" as const,
    id: "c1",
    summary: "It was\nlong.",
    tokensBefore: 90_000,
    tokensAfter: 8_200,
    at,
  };
  const texts = (changes: object, open = false) =>
    compactionRows({ ...item, ...changes }, { width: 60, open, keys: usualKeymap.names }).map((row) =>
      textOfRow(row).trimEnd(),
    );

  it("has the tokens before and after, and the number of passes", () => {
    expect(texts({})).toEqual([`── compacted: 90k → 8.2k tokens · Ctrl+O ${"─".repeat(19)}`]);
    expect(texts({ passes: 3 })[0]).toContain("compacted: 90k → 8.2k tokens in 3 passes");
  });

  it("opens the summary, with what harness has added to it", () => {
    expect(
      texts({ pins: ["rules", "todos"] }, true)
        .slice(1)
        .join("\n"),
    ).toMatch(/^It was\nlong\.\n\nMissing from the summary and added by harness: rules,\s+todos\.$/);
  });

  it("says when there is no summary", () => {
    expect(texts({ fallback: "truncated" })[0]).toContain("shortened without a summary: 90k → 8.2k tokens");
  });
});
