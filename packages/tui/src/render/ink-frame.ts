import { dropHidden } from "../text/hidden-characters.ts";
import { applySgr } from "../text/sgr.ts";
import { EMPTY_ROW, PLAIN, type Row, type Span, type Style, styleOf } from "../text/style.ts";
import { stringWidth } from "../text/width.ts";
import type { Cursor } from "./frame.ts";

/** A frame of Ink as rows: dialogs, notes, lists. */
export type Chrome = { readonly rows: readonly Row[]; readonly cursor?: Cursor | undefined };

/**
 * The terminal's own cursor in an Ink tree: `<Text color={CURSOR_MARK}>x</Text>` around the character under it. The
 * colour is taken out of the frame and never shown.
 */
export const CURSOR_MARK = "#010203";

const SEQUENCE = new RegExp(`${"\u001b"}\\[([0-9;:]*)m|\\p{Cc}`, "gu");

/** One line of Ink's output; it holds no sequences but colours. `style` continues from the line before. */
function parseLine(line: string, style: Style): { spans: Span[]; style: Style; mark: number | undefined } {
  const spans: Span[] = [];
  let current = style;
  let at = 0;
  let width = 0;
  let mark: number | undefined;
  const add = (text: string): void => {
    const clean = dropHidden(text);
    if (clean === "") return;
    const marked = current.fg === CURSOR_MARK;
    if (marked) mark ??= width;
    spans.push({ text: clean, style: marked ? styleOf(undefined, current.bg, current.attributes) : current });
    width += stringWidth(clean);
  };
  for (const match of line.matchAll(SEQUENCE)) {
    add(line.slice(at, match.index));
    at = match.index + match[0].length;
    if (match[1] !== undefined) current = applySgr(current, match[1]);
  }
  add(line.slice(at));
  return { spans, style: current, mark };
}

type Line = { row: Row; mark: number | undefined; style: Style };

/** Parses frames of one Ink instance; a line that did not change keeps its Row object. */
export class FrameParser {
  #before = new Map<string, Line>();

  parse(output: string): Chrome {
    const lines = new Map<string, Line>();
    const rows: Row[] = [];
    let cursor: Cursor | undefined;
    let style: Style = PLAIN;
    // A tree of nothing has no rows, not one that is blank.
    const texts = output === "" ? [] : output.replace(/\n$/, "").split("\n");
    for (const [y, text] of texts.entries()) {
      const key = `${style.id}:${text}`;
      const line = this.#before.get(key) ?? lines.get(key) ?? this.#parse(text, style);
      lines.set(key, line);
      rows.push(line.row);
      style = line.style;
      if (line.mark !== undefined) cursor ??= { x: line.mark, y };
    }
    this.#before = lines;
    return { rows, cursor };
  }

  #parse(text: string, style: Style): Line {
    const parsed = parseLine(text, style);
    const row = parsed.spans.length === 0 ? EMPTY_ROW : { spans: parsed.spans };
    return { row, mark: parsed.mark, style: parsed.style };
  }
}
