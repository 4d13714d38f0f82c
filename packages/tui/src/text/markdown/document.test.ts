import { beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../../test/seeded-random.ts";
import { type Row, style, textOfRow } from "../style.ts";
import { stringWidth } from "../width.ts";
import { MarkdownDocument, markdownRows } from "./document.ts";
import { DrawingCode } from "./drawing-code.ts";
import { highlight } from "./highlighter.ts";
import { columnWidths } from "./table-rows.ts";

const code = new DrawingCode();
const drawn = (text: string, width = 40): string[] =>
  markdownRows(text, width, code).map((row) => textOfRow(row).trimEnd());

function rowsOf(document: MarkdownDocument): Row[] {
  return Array.from({ length: document.height }, (_, index) => document.row(index) as Row);
}

const sample = `# Title

Some *text* with \`code\` and [a link](https://example.com) &amp; more,
soft break  
hard break.

- one
  - nested
- two

1. first
2. second

> quoted
> lines

| a | bb |
|:--|--:|
| 1 | 2 |

\`\`\`ts
const a = 1; // comment
function f() {
  return "x";
}
\`\`\`

Last **paragraph** with 日本 and 👍.
`;

beforeAll(async () => {
  void code.lexer;
  code.grammar("ts");
  await code.ready();
});

describe("Markdown", () => {
  it.each<[string, string, string[]]>([
    ["headings", "# One\n\n## Two", ["One", "", "Two"]],
    ["emphasis", "a **b** *c* ~~d~~ `e`", ["a b c d e"]],
    ["links say where they go", "[text](https://x.y/z)", ["text (https://x.y/z)"]],
    ["links that say it already", "<https://x.y>", ["https://x.y"]],
    ["images", "![alt](i.png)", ["[image: alt] (i.png)"]],
    ["entities", "a &lt;b&gt; &amp;amp;", ["a <b> &amp;"]],
    ["lists", "- a\n- b\n  - c", ["• a", "• b", "  ◦ c"]],
    ["numbers", "9. a\n10. b", [" 9. a", "10. b"]],
    ["tasks", "- [x] done\n- [ ] open", ["☑ done", "☐ open"]],
    ["loose lists", "- a\n\n- b", ["• a", "", "• b"]],
    ["quotes", "> a\n>\n> b", ["▎ a", "▎", "▎ b"]],
    ["rules", "---", ["─".repeat(40)]],
    ["code keeps its blanks", "```\n  a\n\n\tb\n```", ["    a", "", "      b"]],
    [
      "code is cut, not wrapped",
      "```\n0123456789 0123456789 0123456789 0123456789\n```",
      ["  0123456789 0123456789 0123456789 01234", "  56789"],
    ],
    ["HTML is shown as it is", "<div>x</div>", ["<div>x</div>"]],
    ["tables", "| a | b |\n|--|:-:|\n| long cell | x |", ["a         │ b", "──────────┼──", "long cell │ x"]],
    [
      "table cells beyond the header, and pipes in code",
      "| a | b |\n|--|--|\n| `x | y` | z |\n| 1 | 2 | 3 | 4 |",
      ["a     │ b", "──────┼──────────", "x | y │ z", "1     │ 2 | 3 | 4"],
    ],
    [
      "rows of a table that wrap are told apart",
      "| a | b |\n|--|--|\n| 1 | one two three four five six seven eight nine |\n| 2 | x |",
      [
        "a │ b",
        "──┼─────────────────────────────────────",
        "1 │ one two three four five six seven",
        "  │ eight nine",
        "  │",
        "2 │ x",
      ].map((row) =>
        row.replace("──┼─────────────────────────────────────", "──┼─────────────────────────────────────"),
      ),
    ],
    [
      "a table too wide is a list of names and values",
      `|${" column |".repeat(6)}\n|${"--|".repeat(6)}\n|${" value |".repeat(6)}\n| a | b |`,
      [
        ...Array.from({ length: 6 }, () => "column: value"),
        "─".repeat(24),
        "column: a",
        "column: b",
        ...Array.from({ length: 4 }, () => "column:"),
      ],
    ],
    ["escape sequences vanish", "a\u001b[2Jb \u001b]52;c;x\u0007 **c\u001b[31m**", ["ab  c"]],
    ["hidden characters vanish", "a\u202eb [x\u200b](http://y)", ["ab x (http://y)"]],
  ])("%s", (_, text, rows) => {
    expect(drawn(text)).toEqual(rows);
  });

  it("wraps everything to the width", () => {
    const random = seededRandom(11);
    const blocks = sample.split("\n\n");
    for (let round = 0; round < 60; round++) {
      const text = Array.from({ length: 1 + random.below(8) }, () => random.pick(blocks)).join("\n\n");
      const width = 12 + random.below(60);
      for (const row of markdownRows(text, width, code)) expect(stringWidth(textOfRow(row))).toBeLessThanOrEqual(width);
    }
  });

  it("survives absurdly deep nesting", () => {
    expect(drawn(">".repeat(20_000)).length).toBeGreaterThan(0);
    expect(drawn(`${"- ".repeat(3000)}x`).length).toBeGreaterThan(0);
  });

  it("shares the width of a table among its wide columns", () => {
    expect(columnWidths([5, 5], [5, 5], 20)).toEqual([5, 5]);
    expect(columnWidths([5, 50, 60], [5, 4, 4], 45)).toEqual([5, 20, 20]);
    expect(columnWidths([50, 3, 50], [6, 3, 4], 14)).toEqual([6, 3, 5]);
    expect(columnWidths([50, 50], [4, 4], 7)).toBeUndefined();
  });
});

describe("MarkdownDocument", () => {
  it("ends as the whole text would, whatever the chunks were", () => {
    const random = seededRandom(21);
    const expected = markdownRows(sample, 50, code).map(textOfRow);
    for (let round = 0; round < 30; round++) {
      const document = new MarkdownDocument(code);
      for (let at = 0; at < sample.length; ) {
        at = Math.min(sample.length, at + 1 + random.below(25));
        document.update(sample.slice(0, at));
        document.layout(50);
      }
      document.finish();
      document.layout(50);
      expect(rowsOf(document).map(textOfRow)).toEqual(expected);
    }
  });

  it("keeps the rows of unchanged blocks", () => {
    const document = new MarkdownDocument(code);
    document.update("# Title\n\nA paragraph that is long enough to be wrapped into rows.\n\nnext");
    document.layout(20);
    const before = rowsOf(document);
    document.update(`${document.raw} words go on and on and on`);
    document.layout(20);
    const after = rowsOf(document);
    expect(after.length).toBeGreaterThan(before.length);
    for (const [index, row] of before.slice(0, -1).entries()) expect(after[index]).toBe(row);
  });

  it("draws a long code block in steps and colours it", () => {
    const document = new MarkdownDocument(code);
    let text = "```ts\n";
    for (let line = 0; line < 100; line++) {
      text += `const value${line} = "x";\n`;
      document.update(text);
      document.layout(60);
    }
    expect(document.height).toBe(100);
    const first = document.row(0);
    expect(first?.spans.some((span) => span.style === style({ fg: "syntaxKeyword" }))).toBe(true);
    document.update(`${text}const last = 1;\n`);
    document.layout(60);
    expect(document.row(0)).toBe(first);
    document.update(`${text}\`\`\`\n\nafter`);
    document.layout(60);
    expect(textOfRow(document.row(document.height - 1) as Row)).toBe("after");
    expect(document.height).toBe(102);
  });

  it("limits the text that is laid out again, even in a block that never ends", () => {
    const document = new MarkdownDocument(code);
    let text = "";
    for (let part = 0; part < 200; part++) {
      text += `- item ${part} ${"word ".repeat(20)}\n`;
      document.update(text);
      document.layout(60);
    }
    const rows = rowsOf(document).map(textOfRow);
    for (let part = 0; part < 200; part++) expect(rows.some((row) => row.includes(`item ${part} `))).toBe(true);
  });

  it("starts over when the text or the width changes", () => {
    const document = new MarkdownDocument(code);
    document.update("one two three");
    document.layout(40);
    document.update("else");
    document.layout(40);
    expect(rowsOf(document).map(textOfRow)).toEqual(["else"]);
    document.update("else and more");
    document.layout(8);
    expect(rowsOf(document).map(textOfRow)).toEqual(["else and", "more"]);
  });

  it("holds back half of a character that comes in two chunks", () => {
    const document = new MarkdownDocument(code);
    document.update("a\ud83d");
    document.layout(20);
    expect(rowsOf(document).map(textOfRow)).toEqual(["a"]);
    document.update("a\ud83d\udc4d\u200d");
    document.update("a\ud83d\udc4d");
    document.layout(20);
    expect(rowsOf(document).map(textOfRow)).toEqual(["a👍"]);
  });
});

describe("highlight", () => {
  it("colours the languages it has loaded and loses no text", () => {
    const lines = highlight('const a = "<b>&amp;"; // x', "ts", code);
    expect(lines.map((line) => line.map((span) => span.text).join(""))).toEqual(['const a = "<b>&amp;"; // x']);
    expect(lines[0]?.find((span) => span.text === "const")?.style).toBe(style({ fg: "syntaxKeyword" }));
    expect(lines[0]?.find((span) => span.text.includes("amp"))?.style).toBe(style({ fg: "syntaxString" }));
  });

  it("leaves unknown languages plain", () => {
    expect(highlight("a b", "klingon", code)).toEqual([[{ text: "a b", style: style({}) }]]);
  });
});

describe("DrawingCode", () => {
  it("says when a piece was loaded, and that rows made before may look better", async () => {
    let loaded = 0;
    const fresh = new DrawingCode(() => {
      loaded += 1;
    });
    expect(fresh.lexer).toBeUndefined();
    expect(markdownRows("**b**", 20, fresh).map(textOfRow)).toEqual(["**b**"]);
    await fresh.ready();
    expect(markdownRows("**b**", 20, fresh).map(textOfRow)).toEqual(["b"]);
    expect([loaded, fresh.generation]).toEqual([1, 1]);
  });
});
