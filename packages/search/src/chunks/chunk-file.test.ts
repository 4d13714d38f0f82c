import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Chunk } from "./chunk.ts";
import { chunkFile } from "./chunk-file.ts";
import { GrammarSet } from "./grammar-set.ts";

const grammars = new GrammarSet();
const chunked = (path: string, text: string) => chunkFile({ path, text }, grammars);

const sourceLines = [
  "",
  "  ",
  "\t// a comment",
  "# Title",
  "=====",
  "---",
  "```",
  "function one(a) {",
  "  return a;",
  "}",
  "class Two {",
  "  three() {}",
  "}",
  "def four(a):",
  "    return a",
  "'''",
  "/*",
  "*/ export const five = () => {",
  "end",
];
const anyLine = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...sourceLines) },
  fc.string({ unit: "binary" }).map((text) => text.replace(/[\r\n]/g, "")),
  fc.nat({ max: 300 }).map((length) => "word ".repeat(length)),
);
const anyText = fc
  .tuple(fc.constantFrom("", "\ufeff"), fc.array(anyLine, { maxLength: 150 }), fc.constantFrom("\n", "\r\n"))
  .map(([mark, lines, end]) => mark + lines.join(end));

/** Each line that is not blank is in one chunk, and the text of a chunk is that of its lines. */
function expectWhole(text: string, chunks: readonly Chunk[]): void {
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  const seen = new Set<number>();
  for (const chunk of chunks) {
    expect(chunk.text.length).toBeLessThanOrEqual(4000);
    expect(chunk.text).toBe(lines.slice(chunk.startLine - 1, chunk.endLine).join("\n"));
    for (let line = chunk.startLine; line <= chunk.endLine; line++) {
      expect(seen.has(line)).toBe(false);
      seen.add(line);
    }
  }
  expect(lines.filter((line, index) => line.trim() !== "" && !seen.has(index + 1))).toEqual([]);
}

describe("chunkFile", () => {
  it.each(["a.txt", "a.md", "a.ts", "a.py", "a.rb", "a.c", "a.go", "a.php", "a.sh"])(
    "puts each line of any %s into one chunk",
    async (path) => {
      await fc.assert(
        fc.asyncProperty(anyText, async (text) => expectWhole(text, (await chunked(path, text)).chunks)),
        { numRuns: 60 },
      );
    },
    60_000,
  );

  it("cuts texts of about 500 tokens at blank lines", async () => {
    const paragraph = `${"Some words of a text.\n".repeat(30)}\n`;
    const { chunks } = await chunked("a.txt", paragraph.repeat(8));
    for (const { text } of chunks) expect(text.length).toBeLessThanOrEqual(2000);
    expect(chunks.length).toBeLessThanOrEqual(6);
  });

  it("takes the beginning of an overlong line, and no half of a character", async () => {
    const { chunks } = await chunked("a.json", `x${"😀".repeat(500_000)}`);
    expect(chunks.map(({ text }) => text.length)).toEqual([3999, 4000, 4000, 4000]);
    for (const { text } of chunks) expect(text.isWellFormed()).toBe(true);
  });

  it("cuts a long function at the ends of statements, with its name in the first part", async () => {
    const statement = "  if (ready) {\n    step(1);\n    step(2);\n  }\n";
    const { chunks } = await chunked("a.ts", `export function long() {\n${statement.repeat(200)}}\n`);
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.map(({ names }) => names.join())).toEqual(["long", ...chunks.slice(1).map(() => "")]);
    for (const { text } of chunks.slice(1)) expect(text).toMatch(/^ {2}if|^}/);
  });

  it.each([
    ["deep parentheses", "a.ts", `x = ${"(".repeat(100_000)}`],
    ["deep parentheses on lines", "a.js", "(\n".repeat(100_000)],
    ["deep braces", "a.c", "{\n".repeat(50_000)],
    ["deep classes", "a.py", Array.from({ length: 300 }, (_, depth) => `${" ".repeat(depth)}class A:`).join("\n")],
    ["a line of 1 MB", "a.py", "x = 1;".repeat(170_000)],
    ["NUL", "a.go", "package a\n\u0000\u0000func f() {}\n"],
    ["lone surrogates", "a.ts", "const a = '\ud800';\nfunction f\udc00() {}\n"],
    ["line separators", "a.ts", "const a = '\u2028';\nfunction f() {}\n"],
  ])(
    "survives %s",
    async (_, path, text) => {
      const { chunks } = await chunked(path, text);
      for (const chunk of chunks) expect(chunk.text.length).toBeLessThanOrEqual(4000);
      expect(chunks.length).toBeGreaterThan(0);
    },
    60_000,
  );

  it("falls back to lines for minified sources, and reads the next file as ever", async () => {
    expect(await chunked("a.js", `function a(){${"b();".repeat(5000)}}`)).toMatchObject({ isFallback: true });
    expect((await chunked("b.js", "function f() {}")).chunks).toMatchObject([{ kind: "function", names: ["f"] }]);
  });

  it("cuts Markdown by headings, with the titles that lead to a section", async () => {
    const text =
      "---\ntitle: A page\n---\n# Guide #\n\nWords.\n## Install\nRun.\n```sh\n# no heading\n```\n\nUsage\n-----\nWords.\n";
    const { chunks } = await chunked("docs/a.md", text);
    expect(chunks.map(({ startLine, endLine, signatures }) => [startLine, endLine, signatures])).toEqual([
      [1, 3, []],
      [4, 6, ["Guide"]],
      [7, 11, ["Guide", "Install"]],
      [13, 15, ["Guide", "Usage"]],
    ]);
  });

  it("cuts notebooks by cell, with the lines of the file", async () => {
    const cells = [
      { cell_type: "markdown", source: ["# Load data\n", "\n", "Words."] },
      { cell_type: "code", source: ["import a\n", 'print("x")'], outputs: [{ text: "secret" }] },
      { cell_type: "code", source: "one = 1\ntwo = 2" },
    ];
    const text = JSON.stringify({ cells, nbformat: 4 }, undefined, 1);
    const { chunks } = await chunked("a.ipynb", text);
    const lineOf = (part: string) => text.split("\n").findIndex((line) => line.includes(part)) + 1;
    expect(chunks).toMatchObject([
      { kind: "cell", names: ["Load data"], startLine: lineOf("# Load"), endLine: lineOf("Words") },
      { kind: "cell", text: 'import a\nprint("x")', startLine: lineOf("import a"), endLine: lineOf("print") },
      { kind: "cell", text: "one = 1\ntwo = 2", startLine: lineOf("one ="), endLine: lineOf("one =") },
    ]);
    expect((await chunked("b.ipynb", "{")).chunks).toMatchObject([{ text: "{" }]);
  });
});
