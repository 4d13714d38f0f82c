import { describe, expect, it } from "vitest";
import { emptyComposer, pasteText, withBuffer } from "../state/composer.ts";
import { vimStart } from "../state/vim-state.ts";
import { INVERSE, textOfRow } from "../text/style.ts";
import { composerRows } from "./composer-rows.ts";

const look = { columns: 20, maxRows: 4, placeholder: "Ask", inactive: false };
const typed = (text: string) => withBuffer(emptyComposer, emptyComposer.buffer.insert(text));
const texts = (composer: typeof emptyComposer) => composerRows(composer, look).rows.map(textOfRow);
const rule = "─".repeat(20);

describe("composerRows", () => {
  it("says when a command of the shell is typed", () => {
    expect(texts(typed("!npm test"))[1]).toBe("$ !npm test");
    expect(texts(typed("no!"))[1]).toBe("> no!");
  });

  it("names vim's normal mode and what of a command is typed, in a line as wide as ever", () => {
    const normal = { ...typed("one"), vim: { ...vimStart, mode: "normal" as const, pending: "2d" } };
    const end = texts(normal).at(-1) ?? "";
    expect(end.startsWith("── NORMAL 2d ─")).toBe(true);
    expect(end.length).toBe(rule.length);
    expect(texts({ ...normal, vim: vimStart }).at(-1)).toBe(rule);
  });

  it("shows what visual mode has selected, over rows that wrap, until the text changes", () => {
    const text = `${"a".repeat(18)}bc\ndone`;
    const { buffer } = typed(text);
    const visual = (isLines: boolean) => ({ anchor: 16, isLines, text });
    const composer = (isLines: boolean) => ({
      ...emptyComposer,
      buffer: buffer.cursorTo(22),
      vim: { ...vimStart, mode: "normal" as const, visual: visual(isLines) },
    });
    const marks = (of: typeof emptyComposer) =>
      composerRows(of, look).rows.map(({ spans }) =>
        spans.flatMap(({ text: part, style }) => ((style.attributes & INVERSE) === 0 ? [] : part)).join(""),
      );
    expect(marks(composer(false))).toEqual(["", "a", "abc", "do", ""]);
    expect(texts(composer(false)).at(-1)).toContain("VISUAL ─");
    expect(marks(composer(true))).toEqual(["", "a".repeat(17), "abc", "done", ""]);
    expect(texts(composer(true)).at(-1)).toContain("VISUAL LINE ─");
    const pastedInto = withBuffer(composer(true), buffer.insert("x"));
    expect(marks(pastedInto).join("")).toBe("");
    expect(texts(pastedInto).at(-1)).toContain("NORMAL");
  });

  it("puts the real cursor behind wide, joined and right-to-left text, where an input method writes", () => {
    for (const [text, cells] of [
      ["日本", 4],
      ["e\u0301", 1],
      ["👩‍💻", 2],
      ["שלום", 4],
      ["می\u200cروم", 5],
      ["한", 2],
    ] as const)
      expect([text, composerRows(typed(text), look).cursor]).toEqual([text, { x: 2 + cells, y: 1 }]);
  });

  it("shows a hint while it is empty, with the cursor before it", () => {
    expect(texts(emptyComposer)).toEqual([rule, "> Ask", rule]);
    expect(composerRows(emptyComposer, look).cursor).toEqual({ x: 2, y: 1 });
  });

  it("puts the real cursor behind wide characters", () => {
    const view = composerRows(typed("日本"), look);
    expect(view.cursor).toEqual({ x: 6, y: 1 });
  });

  it("grows to its highest, then scrolls with the cursor in view", () => {
    const composer = typed(["1", "2", "3", "4", "5", "6"].join("\n"));
    const view = composerRows(composer, look);
    expect(view.rows.map(textOfRow)).toEqual([rule, "  3", "  4", "  5", "  6", rule]);
    expect(view.cursor).toEqual({ x: 3, y: 4 });
  });

  it("has no cursor while a dialog has the keyboard", () => {
    expect(composerRows(typed("x"), { ...look, inactive: true }).cursor).toBeUndefined();
  });

  it("sets a chip apart from what was typed", () => {
    const spans = composerRows(pasteText(typed("a "), "x\n".repeat(9)), { ...look, columns: 60 }).rows[1]?.spans;
    expect(spans?.map(({ text }) => text)).toEqual(["> ", "a ", "[pasted 9 lines]", ""]);
  });
});
