import { describe, expect, it } from "vitest";
import { type Row, textOfRow } from "../../text/style.ts";
import { textSheetRows } from "./text-sheet-rows.ts";

const sheet = (text: string): Row[] =>
  textSheetRows({ kind: "text", title: "/diff", text, scroll: 0, look: "diff" }, 62).slice(2);
const texts = (text: string): string[] => sheet(text).map((row) => textOfRow(row).trimEnd());

describe("the diffs of a sheet", () => {
  it("have a head with the path and counts, numbers and signs, and no lines of the format", () => {
    const text = [
      "3 files changed by the agent in this session, +3 −3",
      "\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,2 @@\n-old\n+new\n same\n@@ -10,1 +10,1 @@\n-ten\n+TEN",
      "\n--- /dev/null\n+++ b/made.txt\n@@ -0,0 +1,1 @@\n+made",
      "\n--- a/gone.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-gone\n\\ No newline at end of file",
      "\n--- a/bin\n+++ b/bin\n(it is not text)",
    ].join("\n");
    expect(texts(text)).toEqual([
      "3 files changed by the agent in this session, +3 −3",
      "",
      "src/a.ts  +2 −2",
      " 1 - old",
      " 1 + new",
      " 2   same",
      "   ⋯ 7 unchanged lines",
      "10 - ten",
      "10 + TEN",
      "",
      "new file made.txt  +1 −0",
      " 1 + made",
      "",
      "deleted gone.txt  +0 −1",
      " 1 - gone",
      "   No newline at end of file",
      "",
      "bin",
      "(it is not text)",
    ]);
  });

  it("tint changed lines over their whole width", () => {
    const [removed, added, same] = sheet("@@ -1,2 +1,2 @@\n-old\n+new\n same");
    const backgrounds = (row: Row | undefined) => new Set(row?.spans.map((each) => each.style.bg !== undefined));
    expect(backgrounds(removed)).toEqual(new Set([true]));
    expect(backgrounds(added)).toEqual(new Set([true]));
    expect(backgrounds(same)).toEqual(new Set([false]));
    expect(removed && textOfRow(removed).length).toBe(60);
  });

  it("keep lines that look like the head of a file, and say what was left out", () => {
    const text = "--- a/q.sql\n+++ b/q.sql\n@@ -1,1 +1,1 @@\n--- old\n+++ new\n@@ 9 more lines are not shown @@";
    expect(texts(text)).toEqual(["q.sql  +1 −1", " 1 - -- old", " 1 + ++ new", "   9 more lines are not shown"]);
  });

  it("leave a text without a diff as it is", () => {
    expect(texts("nothing\n- a point\n+ another")).toEqual(["nothing", "- a point", "+ another"]);
  });
});
