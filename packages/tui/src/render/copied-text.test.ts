import { beforeAll, describe, expect, it } from "vitest";
import { composerRows } from "../composer/composer-rows.ts";
import { usualKeymap } from "../keymap/keymap.ts";
import { emptyComposer, pasteText } from "../state/composer.ts";
import { MarkdownDocument } from "../text/markdown/document.ts";
import { DrawingCode } from "../text/markdown/drawing-code.ts";
import { type Row, row, span, textOfRow } from "../text/style.ts";
import { prefixRows } from "../text/wrap.ts";
import { diffRows } from "./diff/diff-rows.ts";
import { ScreenSelection } from "./screen-selection.ts";

const WIDTH = 40;
const AREA = { top: 0, end: 99 };
const code = new DrawingCode(() => undefined);
const COMMAND = `printf ${Array.from({ length: 20 }, (_, at) => `part-${at}`).join(" ")}`;
const URL = `https://example.com/${"deep/".repeat(12)}page?x=1`;

beforeAll(async () => {
  void code.lexer;
  await code.ready();
});

/** A message as the transcript shows it, with its margin. */
function drawn(markdown: string): Row[] {
  const document = new MarkdownDocument(code);
  document.update(markdown);
  document.finish();
  document.layout(WIDTH - 2);
  const rows = Array.from({ length: document.height }, (_, at) => document.row(at) ?? row());
  return prefixRows(rows, [span("  ")], [span("  ")]);
}

function selection(rows: readonly Row[]): ScreenSelection {
  const made = new ScreenSelection();
  made.drawn(rows, AREA);
  return made;
}

function copied(rows: readonly Row[], from = { x: 0, y: 0 }, to = { x: WIDTH, y: rows.length - 1 }): string {
  const made = selection(rows);
  made.begin(from);
  made.extend(to);
  return made.text();
}

describe("copied text", () => {
  it.each<[string, string, string]>([
    ["prose", "Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod.", ""],
    [
      "code with its indents",
      `\`\`\`\n${COMMAND}\nif true; then\n    echo x\nfi\n\`\`\``,
      `${COMMAND}\nif true; then\n    echo x\nfi`,
    ],
    [
      "a list",
      "- Lorem ipsum dolor sit amet, consectetur adipiscing elit\n  - nested",
      "• Lorem ipsum dolor sit amet, consectetur adipiscing elit\n  ◦ nested",
    ],
    ["code in a list", "1. Run:\n   ```\n   make\n     all\n   ```", "1. Run:\nmake\n  all"],
    [
      "a quote",
      "> Lorem ipsum dolor sit amet, consectetur adipiscing elit\n>\n> Again",
      "Lorem ipsum dolor sit amet, consectetur adipiscing elit\n\nAgain",
    ],
    ["Chinese", "这是一个很长的中文句子，没有任何空格，它会被窗口分成几行来显示。", ""],
    ["a long address", URL, ""],
    [
      "a table with wrapped cells",
      "| a | b |\n|--|--|\n| 1 | one two three four five six seven eight nine |",
      `a │ b\n──┼${"─".repeat(WIDTH - 5)}\n1 │ one two three four five six seven eight nine`,
    ],
  ])("of %s has no line breaks and margins of the window", (_, markdown, text) => {
    const rows = drawn(markdown);
    expect(rows.length).toBeGreaterThan(1);
    expect(copied(rows).replaceAll("\u200b", "")).toBe(text === "" ? markdown : text);
  });

  it("of a part begins and ends at its cells", () => {
    const rows = drawn(`\`\`\`\n${COMMAND}\n\`\`\``);
    expect(copied(rows, { x: 11, y: 0 }, { x: 6, y: 1 })).toBe(COMMAND.slice(7, 36 + 3));
  });

  it("of the input has none either", () => {
    const composer = pasteText(emptyComposer, `${COMMAND}\n  second`);
    const options = { columns: WIDTH, maxRows: 20, placeholder: "", inactive: false };
    const { rows } = composerRows(composer, options);
    expect(copied(rows, { x: 0, y: 1 }, { x: WIDTH, y: rows.length - 2 })).toBe(`${COMMAND}\n  second`);
  });

  it("of a double click is the whole address or link, of a triple click the whole line", () => {
    const rows = drawn(`See ${URL}, or [this page](https://a.b/c) for more.`);
    const at = rows.findIndex((each) => textOfRow(each).includes("deep"));
    const made = selection(rows);
    made.markWord({ x: 10, y: at + 1 });
    expect(made.text()).toBe(URL);
    made.markRow(at + 1);
    expect(made.text()).toMatch(/^See https.* for more\.$/);
    expect(made.text()).not.toContain("\n");
  });

  it("of a double click on a long word is all of it", () => {
    const word = "abcdefghij".repeat(9);
    const rows = drawn(`a ${word} z`);
    const made = selection(rows);
    made.markWord({ x: 5, y: rows.length - 2 });
    expect(made.text()).toBe(word);
  });
});

describe("a diff", () => {
  const HUNKS = `@@ -9,3 +9,3 @@\n function f() {\n-  old();\n+  fresh(${"argument, ".repeat(8)}last);\n }\n`;
  const fresh = `  fresh(${"argument, ".repeat(8)}last);`;
  const shown = (width: number): Row[] => {
    const block = { type: "diff", path: "/work/a.c", change: "modify", added: 1, removed: 1, hunks: HUNKS } as const;
    const rows = diffRows(block, { width, open: true, code, root: "/work", keys: usualKeymap.names });
    return prefixRows(rows, [span("  ")], [span("  ")]);
  };

  it("is copied without numbers and signs, its wrapped lines whole", () => {
    const rows = shown(50);
    const last = { x: 60, y: rows.length - 1 };
    expect(copied(rows, { x: 0, y: 0 }, last)).toBe(`function f() {\n  old();\n${fresh}\n}`);
    expect(copied(rows, { x: 0, y: 2 }, { x: 60, y: rows.length - 2 })).toBe(fresh);
  });

  it("in two columns is copied from the one in which the selection begins", () => {
    const rows = shown(140);
    const last = { x: 150, y: rows.length - 1 };
    expect(textOfRow(rows[1] ?? row())).toMatch(/10 - {3}old\(\); .* │ 10 \+ {3}fresh/);
    expect(copied(rows, { x: 0, y: 0 }, last)).toBe("function f() {\n  old();\n}");
    expect(copied(rows, { x: 74, y: 0 }, last)).toBe(`function f() {\n${fresh}\n}`);
    expect(copied([row(span("edit a.c")), ...rows], { x: 0, y: 0 }, { ...last, y: rows.length })).toBe(
      `edit a.c\nfunction f() {\n${fresh}\n}`,
    );
  });
});
