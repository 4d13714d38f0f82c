import type { DiffBlock } from "@harness/protocol";
import { beforeAll, describe, expect, it } from "vitest";
import { usualKeymap } from "../../keymap/keymap.ts";
import { DrawingCode } from "../../text/markdown/drawing-code.ts";
import { type Row, textOfRow } from "../../text/style.ts";
import { stringWidth } from "../../text/width.ts";
import { compareWords } from "./changed-words.ts";
import { diffRows } from "./diff-rows.ts";

const code = new DrawingCode();
beforeAll(async () => {
  void code.grammar("ts");
  await code.ready();
});

const block = (hunks: string, more: Partial<DiffBlock> = {}): DiffBlock => ({
  type: "diff",
  path: "/work/a.ts",
  change: "modify",
  added: 1,
  removed: 1,
  hunks,
  ...more,
});
const rowsOf = (
  hunks: string,
  { open = false, width = 60, ...more }: Partial<DiffBlock> & { open?: boolean; width?: number } = {},
) => diffRows(block(hunks, more), { width, open, code, root: "/work", keys: usualKeymap.names });
const texts = (rows: readonly Row[]): string[] => rows.map((row) => textOfRow(row).trimEnd());
const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, n) => ` line ${from + n}\n`).join("");

describe("a diff", () => {
  it("has numbers, signs and no headers; gaps between hunks are counted", () => {
    const hunks = "@@ -9,3 +9,4 @@ function f\n same\n-old\n+new\n+\tmore\n last\n@@ -40,2 +41,1 @@\n-a\n b\n";
    expect(texts(rowsOf(hunks))).toEqual([
      " 9   same",
      "10 - old",
      "10 + new",
      "11 +     more",
      "12   last",
      "   ⋯ 28 unchanged lines",
      "40 - a",
      "41   b",
    ]);
  });

  it("describes rows that are not lines of the file", () => {
    const hunks = "@@ -1,1 +1,1 @@\n-a\n+b\n\\ No newline at end of file\n@@ 7 more lines are not shown @@";
    expect(texts(rowsOf(hunks))).toEqual([
      " 1 - a",
      " 1 + b",
      "   No newline at end of file",
      "   7 more lines are not shown",
    ]);
  });

  it("shows three lines around a change while it is folded, and names the key that opens the rest", () => {
    const hunks = `@@ -1,26 +1,26 @@\n${numbered(1, 6)}-x\n+y\n${numbered(8, 20)}-p\n+q\n${numbered(22, 26)}`;
    const folded = texts(rowsOf(hunks));
    expect(folded).toEqual([
      " 4   line 4",
      " 5   line 5",
      " 6   line 6",
      " 7 - x",
      " 7 + y",
      " 8   line 8",
      " 9   line 9",
      "10   line 10",
      "   ⋯ 7 unchanged lines · Ctrl+O",
      "18   line 18",
      "19   line 19",
      "20   line 20",
      "21 - p",
      "21 + q",
      "22   line 22",
      "23   line 23",
      "24   line 24",
    ]);
    const open = texts(rowsOf(hunks, { open: true }));
    expect(open).toHaveLength(28);
    expect(open.join("\n")).not.toContain("Ctrl+O");
    expect(texts(rowsOf(`@@ -1,7 +1,7 @@\n${numbered(1, 6)}-x\n+y\n`)).at(-1)).toBe("… more context · Ctrl+O");
  });

  it("folds what is longer than a screen", () => {
    const hunks = `@@ -0,0 +1,60 @@\n${Array.from({ length: 60 }, (_, n) => `+l${n}\n`).join("")}`;
    expect(texts(rowsOf(hunks)).at(-1)).toBe("… 20 more lines · Ctrl+O");
    expect(texts(rowsOf(hunks, { open: true }))).toHaveLength(60);
  });

  it("colours lines on their tint to the last column, and the words that changed stronger", () => {
    const [removed, added] = rowsOf('@@ -1,1 +1,1 @@\n-const a = "old";\n+const a = "new";\n');
    const looks = (row: Row | undefined) => row?.spans.map(({ text, style }) => [text, style.fg, style.bg]);
    expect(looks(removed)?.slice(1, 5)).toEqual([
      ["- ", "removed", "removedLine"],
      ["const", "syntaxKeyword", "removedLine"],
      [" a = ", undefined, "removedLine"],
      ['"', "syntaxString", "removedLine"],
    ]);
    expect(looks(added)).toContainEqual(["new", "syntaxString", "addedWord"]);
    expect(added && stringWidth(textOfRow(added))).toBe(60);
  });

  it("stands side by side on a wide screen, where both have lines", () => {
    const hunks = "@@ -8,4 +9,3 @@\n same\n-const old = 1;\n-gone\n+const new_ = 1;\n end\n";
    const rows = rowsOf(hunks, { width: 125 });
    expect(texts(rows)).toEqual([
      ` 8   same${" ".repeat(53)}│  9   same`,
      ` 9 - const old = 1;${" ".repeat(43)}│ 10 + const new_ = 1;`,
      `10 - gone${" ".repeat(53)}│`,
      `11   end${" ".repeat(54)}│ 11   end`,
    ]);
    expect(texts(rowsOf("@@ -0,0 +1,1 @@\n+a\n", { width: 125, change: "create" }))).toEqual([" 1 + a"]);
  });

  it.each([8, 20, 60, 119, 120, 200])("fits into %d columns", (width) => {
    const hunks = "@@ -1,2 +1,2 @@\n-漢字漢字漢字漢字漢字漢字漢字 and more\n+\tb\u202e\u001b[2J\n same\n";
    for (const open of [false, true])
      for (const row of rowsOf(hunks, { width, open })) expect(stringWidth(textOfRow(row))).toBeLessThanOrEqual(width);
  });
});

describe("the words that changed", () => {
  const parts = (before: string, after: string) => {
    const found = compareWords(before, after);
    return (
      found && [
        found.before.map(({ from, to }) => before.slice(from, to)),
        found.after.map(({ from, to }) => after.slice(from, to)),
      ]
    );
  };

  it.each<[string, string, string[][] | undefined]>([
    ["return a + b;", "return a - b;", [["+"], ["-"]]],
    ["the same", "the same", [[], []]],
    ["f(one, two, three)", "f(one, 2, three, four)", [["two"], ["2", ", four"]]],
    ["a long line with words", "a long line with two more words", [[], ["two more "]]],
    ["alpha beta", "const x = 1;", undefined],
    ["", "added", undefined],
  ])("%j → %j", (before, after, expected) => {
    expect(parts(before, after)).toEqual(expected);
  });

  it("are found in a long line in little time, or not at all", () => {
    const line = "word ".repeat(5000);
    expect(parts(`${line}a`, `${line}b`)).toEqual([["a"], ["b"]]);
    expect(parts(`x ${line}a`, `${line.replaceAll("word", "other")}b`)).toBeUndefined();
  });
});
