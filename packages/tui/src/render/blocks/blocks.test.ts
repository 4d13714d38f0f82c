import type { Block } from "@harness/protocol";
import { beforeAll, describe, expect, it } from "vitest";
import { usualKeymap } from "../../keymap/keymap.ts";
import { DrawingCode } from "../../text/markdown/drawing-code.ts";
import { textOfRow } from "../../text/style.ts";
import { stringWidth } from "../../text/width.ts";
import { blockRows } from "./index.ts";

const drawn = (block: Block, open = false, width = 40): string[] =>
  blockRows(block, { width, open, code, root: "/work", keys: usualKeymap.names }, "fallback").map((row) =>
    textOfRow(row).trimEnd(),
  );
const lines = (count: number): string => Array.from({ length: count }, (_, n) => `line ${n + 1}`).join("\n");

const code = new DrawingCode();
beforeAll(async () => {
  void code.lexer;
  await code.ready();
});

describe("blocks", () => {
  it.each<[string, Block, string[]]>([
    ["text", { type: "text", text: "a\u001b[31mb\u001b[2J\n\tc\n" }, ["ab", "        c"]],
    [
      "long text",
      { type: "text", text: lines(10) },
      ["line 1", "line 2", "line 3", "… 5 more lines · Ctrl+O", "line 9", "line 10"],
    ],
    [
      "text that is hardly too long",
      { type: "text", text: lines(6) },
      ["line 1", "line 2", "line 3", "line 4", "line 5", "line 6"],
    ],
    [
      "prose",
      { type: "text", text: "Denied: the person refused this call and said nothing more." },
      ["Denied: the person refused this call and", "said nothing more."],
    ],
    ["no text", { type: "text", text: "" }, []],
    ["markdown", { type: "markdown", text: "**a** `b`" }, ["a b"]],
    [
      "diff",
      {
        type: "diff",
        path: "a.ts",
        change: "modify",
        added: 2,
        removed: 1,
        hunks: "@@ -9,3 +9,4 @@ function f\n same\n-old\n+new\n+\tmore\n last\n\\ No newline at end of file\n",
      },
      [" 9   same", "10 - old", "10 + new", "11 +     more", "12   last", "   No newline at end of file"],
    ],
    [
      "terminal",
      {
        type: "terminal",
        command: "npm test",
        output: "\u001b[32mok\u001b[0m\n10%\r100%\n",
        exitCode: 0,
        durationMs: 5,
      },
      ["$ npm test", "ok", "100%"],
    ],
    [
      "terminal that failed, its end shown",
      {
        type: "terminal",
        command: "make\nall",
        output: lines(20),
        exitCode: 2,
        durationMs: 5,
        fullOutputPath: "/tmp/out",
      },
      [
        "$ make",
        "  all",
        "line 1",
        "line 2",
        "line 3",
        "… 11 more lines · Ctrl+O",
        ...Array.from({ length: 6 }, (_, n) => `line ${n + 15}`),
        "exit 2",
        "all of it: /tmp/out",
      ],
    ],
    [
      "terminal that was killed",
      { type: "terminal", command: "x\u001b[2J", output: "", exitCode: null, signal: "SIGKILL", durationMs: 5 },
      ["$ x␛[2J", "killed by SIGKILL (it was stopped by", "force, often because memory ran out)"],
    ],
    [
      "terminal that was stopped",
      {
        type: "terminal",
        command: "yes",
        output: "y",
        exitCode: 141,
        stopped: "stopped: more than 50 MB of output",
        durationMs: 5,
      },
      ["$ yes", "y", "stopped: more than 50 MB of output"],
    ],
    [
      "list",
      { type: "list", items: [{ text: "a", detail: "12 B" }, { text: "b\nc" }], more: 3 },
      ["a  12 B", "b c", "… 3 more entries"],
    ],
    [
      "tree",
      {
        type: "tree",
        entries: [
          { path: "src", directory: true },
          { path: "src/a.ts", directory: false },
          { path: "src/lib/b.ts", directory: false },
          { path: "src/lib/c.ts", directory: false },
          { path: "x", directory: false },
        ],
      },
      ["src/", "  a.ts", "  lib/", "    b.ts", "    c.ts", "x"],
    ],
    [
      "todo",
      {
        type: "todo",
        items: [
          { text: "a", status: "completed" },
          { text: "b", status: "in_progress" },
          { text: "c", status: "pending" },
        ],
      },
      ["☑ a", "▶ b", "☐ c"],
    ],
    [
      "table",
      { type: "table", columns: ["a", "bb"], rows: [["1", "2"], ["long"]] },
      ["a    │ bb", "─────┼───", "1    │ 2", "long │"],
    ],
    [
      "image",
      { type: "image", mimeType: "image/png", description: "a cat", path: "/x.png" },
      ["[image] a cat · /x.png · image/png"],
    ],
    [
      "json",
      { type: "json", value: { a: [1], b: "\u001b[31m" } },
      ["{", '  "a": [', "    1", "  ],", '  "b": "\\u001b[31m"', "}"],
    ],
    ["json of nothing", { type: "json", value: undefined }, ["null"]],
  ])("%s", (_, block, rows) => {
    expect(drawn(block)).toEqual(rows);
  });

  it("shows all of it when open", () => {
    expect(drawn({ type: "text", text: lines(10) }, true).length).toBe(10);
    expect(drawn({ type: "terminal", command: "x", output: lines(20), exitCode: 0, durationMs: 1 }, true).length).toBe(
      21,
    );
  });

  it("handles an output of blanks quickly", () => {
    const output = `${" ".repeat(300_000)}.\n \n`;
    expect(drawn({ type: "terminal", command: "x", output, exitCode: 0, durationMs: 1 }).at(-1)).toBe(".");
  });

  it("counts a very long line as the rows it takes", () => {
    const long = "x".repeat(400);
    expect(drawn({ type: "text", text: long })[3]).toBe("… 5 more lines · Ctrl+O");
    const terminal: Block = { type: "terminal", command: long, output: long, exitCode: 0, durationMs: 1 };
    expect(drawn(terminal)[3]).toBe("  … 8 more lines · Ctrl+O");
    const longer = { ...terminal, output: long.repeat(2) };
    expect(drawn(longer)[7]).toBe("… 11 more lines · Ctrl+O");
  });

  it("draws the result's text for a kind that it does not know", () => {
    const block = { type: "hologram" } as unknown as Block;
    expect(drawn(block)).toEqual(["fallback"]);
  });

  it("keeps to the width", () => {
    const wide = "日本語 word ".repeat(20);
    const blocks: Block[] = [
      { type: "text", text: wide },
      { type: "markdown", text: `# ${wide}\n\n- ${wide}` },
      { type: "diff", path: wide, change: "modify", hunks: `@@ -1 +1 @@\n+${wide}`, added: 1, removed: 0 },
      { type: "terminal", command: wide, output: wide, exitCode: 1, durationMs: 1 },
      { type: "list", items: [{ text: wide, detail: wide }] },
      { type: "tree", entries: [{ path: wide, directory: false }] },
      { type: "todo", items: [{ text: wide, status: "pending" }] },
      { type: "table", columns: [wide, wide], rows: [[wide, wide]] },
      { type: "image", mimeType: "image/png", description: wide },
      { type: "json", value: wide },
    ];
    for (const block of blocks) {
      for (const row of blockRows(block, { width: 20, open: true, code, root: "/work", keys: usualKeymap.names }, "")) {
        expect(stringWidth(textOfRow(row)), block.type).toBeLessThanOrEqual(20);
      }
    }
  });
});
