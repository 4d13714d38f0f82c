import type { Block } from "@harness/protocol";
import { describe, expect, it } from "vitest";
import { DrawingCode } from "../../text/markdown/drawing-code.ts";
import { textOfRow } from "../../text/style.ts";
import { effectText, previewRows } from "./preview-rows.ts";

const rowsOf = (blocks: Block[], width: number) => previewRows(blocks, { width, root: "/w", code: new DrawingCode() });
const texts = (blocks: Block[], width: number) => rowsOf(blocks, width).map((row) => textOfRow(row).trimEnd());
const command = (text: string): Block[] => [
  { type: "terminal", command: text, output: "", exitCode: null, durationMs: 0 },
];
const diff = (hunks: string): Block[] => [
  { type: "diff", path: "/w/a.ts", change: "modify", hunks, added: 1, removed: 1 },
];

describe("the preview of a permission request", () => {
  it("hides nothing of a command: not its controls, not its hidden characters, not its end", () => {
    const rows = texts(command("echo ok\u001b[8m; rm -rf ~\u001b[0m\necho \u202edone"), 60);
    expect(rows).toEqual(["1 │ echo ok␛[8m; rm -rf ~␛[0m", "2 │ echo ⟨U+202E⟩done"]);
  });

  it("has a sign before a single line, and a rule before what it needs beyond its row", () => {
    expect(texts(command("npm test"), 60)).toEqual(["$ npm test"]);
    expect(texts(command("x".repeat(20)), 10)).toEqual([`$ ${"x".repeat(8)}`, `┊ ${"x".repeat(8)}`, "┊ xxxx"]);
  });

  it("lets no content stand at the beginning of a row, however it wraps", () => {
    const fake = `true${"\u00a0".repeat(3)} ╰────╯\ny Allow once │\n${"═".repeat(30)}y/1 Allow once`;
    for (const row of texts(command(fake), 24)) expect(row).toMatch(/^(\d │|\s+┊) /);
  });

  it.each([
    ["2,000 blanks", `true${" ".repeat(2000)}; rm x`, "$ true⟨2000 spaces⟩; rm x"],
    ["tabs", "a\tb", "$ a⟶b"],
    ["a pile of marks", `a${"\u0301".repeat(40)}b`, "$ a⟨40 marks⟩b"],
    ["a mark on nothing", "\u0301x", "$ ⟨U+0301⟩x"],
    ["a half character", "a\ud800b", "$ a⟨U+D800⟩b"],
    ["a carriage return", "rm x\recho ok", "$ rm x\\recho ok"],
  ])("shows %s", (_, text, row) => {
    expect(texts(command(text), 60)).toEqual([row]);
  });

  it("counts empty lines that would push the rest away, and keeps the numbers", () => {
    expect(texts(command(`a${"\n".repeat(6)}b\n\nc`), 60)).toEqual([
      "1 │ a",
      "    ⟨5 empty lines⟩",
      "7 │ b",
      "8 │",
      "9 │ c",
    ]);
    const hunks = `@@ -1,1 +1,9 @@\n a\n${"+\n".repeat(8)}+evil()\n`;
    expect(texts(diff(hunks), 60).slice(1)).toEqual([" 1   a", "     ⟨8 empty lines⟩", "10 + evil()"]);
  });

  it("shows a diff with its numbers, signs and indents", () => {
    const hunks = "@@ -1,2 +1,2 @@\n a\n-    b\n+    c\n@@ -9,1 +9,1 @@\n z\n";
    expect(texts(diff(hunks), 60)).toEqual(["a.ts  +1 −1", " 1   a", " 2 -     b", " 2 +     c", "   ⋯", " 9   z"]);
    const [, , removed, added] = rowsOf(diff(hunks), 60);
    expect(removed?.spans[0]?.style).toMatchObject({ fg: "removed", bg: "removedLine" });
    expect(added?.spans[0]?.style).toMatchObject({ fg: "added", bg: "addedLine" });
  });

  it("makes the words of a line that changed stronger, and hides nothing in them", () => {
    const hunks = "@@ -1,1 +1,1 @@\n-const a = one();\n+const a = t\u202ewo();\n";
    const [, , added] = rowsOf(diff(hunks), 60);
    expect(textOfRow(added ?? { spans: [] }).trimEnd()).toBe(" 1 + const a = t⟨U+202E⟩wo();");
    const strong = added?.spans.filter(({ style }) => style.bg === "addedWord").map(({ text }) => text);
    expect(strong?.join("")).toContain("wo");
  });

  it("has the colours of the language in a diff, and shows every character of it", async () => {
    const code = new DrawingCode();
    const hunks = "@@ -1,1 +1,1 @@\n-const a = 1;\n+const a\u202e = 2;\n const b = 3;\n";
    const rows = () => previewRows(diff(hunks), { width: 60, root: "/w", code });
    rows();
    await code.ready();
    const [, , added, same] = rows();
    expect(added?.spans.find(({ text }) => text === "const")?.style).toMatchObject({
      fg: "syntaxKeyword",
      bg: "addedLine",
    });
    expect(same?.spans.find(({ text }) => text === "const")?.style.fg).toBe("syntaxKeyword");
    expect(textOfRow(added ?? { spans: [] }).trimEnd()).toBe(" 1 + const a⟨U+202E⟩ = 2;");
  });

  it("leaves out unchanged lines that are far from a change, and marks where", () => {
    const hunks = "@@ -1,9 +1,9 @@\n a\n b\n-c\n+C\n d\n e\n f\n-g\n+G\n h\n i\n";
    const shown = (context: number) =>
      previewRows(diff(hunks), { width: 20, root: "/w", code: new DrawingCode(), context }).map((each) =>
        textOfRow(each).trimEnd(),
      );
    expect(shown(1).slice(1)).toEqual([
      " 2   b",
      " 3 - c",
      " 3 + C",
      " 4   d",
      "   ⋯",
      " 6   f",
      " 7 - g",
      " 7 + G",
      " 8   h",
    ]);
    expect(shown(0).slice(1)).toEqual([" 3 - c", " 3 + C", "   ⋯", " 7 - g", " 7 + G"]);
  });

  it("marks the rows of a long line of a diff: none of them looks like another line", () => {
    const rows = texts(diff(`@@ -1 +1 @@\n+${"x".repeat(6)}- gone\n`), 12).slice(1);
    expect(rows).toEqual([" 1 + xxxxxx-", "   ┊  gone"]);
  });

  it.each([
    [{ kind: "read", path: "/w/a" }, "reads /w/a"],
    [{ kind: "run", command: "ls", cwd: "/w" }, "runs a command in /w"],
    [{ kind: "run", command: "ls", cwd: "/w", outside: true }, "runs, outside the sandbox, a command in /w"],
    [{ kind: "reach", url: "http://x" }, "reaches http://x"],
    [{ kind: "spend", what: "$1" }, "spends $1"],
  ] as const)("says what %j means", (effect, text) => {
    const { what, which } = effectText(effect);
    expect(`${what} ${which}`).toBe(text);
  });
});
