import { nextGrapheme } from "../input/index.ts";
import type { Cursor } from "../render/frame.ts";
import { inverseCells } from "../render/screen-selection.ts";
import { type ComposerState, withBuffer } from "../state/composer.ts";
import {
  PLAIN,
  type Row,
  row,
  type Span,
  sanitiseLine,
  span,
  stringWidth,
  style,
  truncateText,
} from "../text/index.ts";
import { selectedRange, vimMode } from "../vim/vim-selection.ts";

export type ComposerView = { readonly rows: readonly Row[]; readonly cursor: Cursor | undefined };
export type ComposerOptions = {
  readonly columns: number;
  /** The most rows of text before it scrolls. */
  readonly maxRows: number;
  /** Shown while nothing is typed. */
  readonly placeholder: string;
  /** True if a dialog has the keyboard. */
  readonly inactive: boolean;
};

const BORDER = style({ fg: "border" });
const SIGN = style({ fg: "accent", bold: true });
/** The typed text runs in the shell. */
const SHELL = style({ fg: "warning", bold: true });
const MUTED = style({ fg: "muted" });
const CHIP = style({ fg: "accent" });
/** Columns before the text of a row. */
export const COMPOSER_MARGIN = 2;

/** The input between two rules: prompt sign, text, and the position of the real cursor. */
export function composerRows(composer: ComposerState, options: ComposerOptions): ComposerView {
  const { columns, inactive } = options;
  const line = row(span("─".repeat(columns), BORDER));
  const inner = composer.search ? searchRows(composer, columns) : textRows(composer, options);
  const cursor = inactive || !inner.cursor ? undefined : { x: inner.cursor.x, y: inner.cursor.y + 1 };
  const mode = vimMode(composer);
  const end = mode === "" ? line : modeLine(mode, columns);
  return { rows: [line, ...inner.rows, end], cursor };
}

/** The line below a field with the current mode of its keys. */
export function modeLine(mode: string, columns: number): Row {
  const rest = Math.max(0, columns - 4 - stringWidth(mode));
  return row(span("── ", BORDER), span(mode, SIGN), span(` ${"─".repeat(rest)}`, BORDER));
}

/** The composer with its cursor at a cell of its rows. */
export function composerAt(composer: ComposerState, options: ComposerOptions, { x, y }: Cursor): ComposerState {
  if (composer.search || options.inactive) return composer;
  const { top } = textLayout(composer, options);
  const cell = { row: top + y - 1, column: x - COMPOSER_MARGIN };
  return withBuffer(composer, composer.buffer.cursorAt(cell, options.columns - COMPOSER_MARGIN));
}

/** The rows of the whole text, and the visible ones: the cursor stays in view with as little scrolling as possible. */
function textLayout({ buffer }: ComposerState, { columns, maxRows }: ComposerOptions) {
  const { rows, cursor, isContinued } = buffer.layout(columns - COMPOSER_MARGIN);
  const height = Math.min(maxRows, rows.length);
  const first = Math.max(0, Math.min(cursor.row - Math.floor(height / 2), rows.length - height));
  return { rows, cursor, isContinued, height, top: rows.length <= maxRows ? 0 : first };
}

function textRows(composer: ComposerState, options: ComposerOptions): ComposerView {
  const { columns, placeholder } = options;
  const { rows, cursor, isContinued, height, top } = textLayout(composer, options);
  if (composer.buffer.isEmpty) {
    const hint = truncateText(placeholder, columns - COMPOSER_MARGIN);
    return { rows: [row(span("> ", SIGN), span(hint, MUTED))], cursor: { x: COMPOSER_MARGIN, y: 0 } };
  }
  const isShell = /^\s*!/.test(rows[0] ?? "");
  const shown = rows.slice(top, top + height).map((text, at) => {
    const sign = top + at === 0 ? (isShell ? "$ " : "> ") : "  ";
    const copy = { margin: COMPOSER_MARGIN, ...(isContinued(top + at) && { joined: "" }) };
    return { copy, spans: [span(sign, isShell ? SHELL : SIGN), ...chipSpans(text, composer.chips)] };
  });
  const marks = selectedCells(composer, columns - COMPOSER_MARGIN);
  const drawn = marks ? shown.map((each, at) => withMarks(each, top + at, marks)) : shown;
  return { rows: drawn, cursor: { x: COMPOSER_MARGIN + cursor.column, y: cursor.row - top } };
}

type Cell = ReturnType<ComposerState["buffer"]["layout"]>["cursor"];
type Cells = { readonly from: Cell; readonly to: Cell };

/** The beginning and end of vim's selection. */
function selectedCells(composer: ComposerState, width: number): Cells | undefined {
  const range = selectedRange(composer);
  const cellAt = (offset: number) => composer.buffer.cursorTo(offset).layout(width).cursor;
  return range && { from: cellAt(range.from), to: cellAt(range.to) };
}

function withMarks(text: Row, at: number, { from, to }: Cells): Row {
  if (at < from.row || at > to.row) return text;
  const first = COMPOSER_MARGIN + (at === from.row ? from.column : 0);
  const last = at === to.row ? COMPOSER_MARGIN + to.column - 1 : Number.MAX_SAFE_INTEGER;
  return last < first ? text : inverseCells(text, first, last);
}

function chipSpans(text: string, chips: ReadonlyMap<string, string>): Span[] {
  let spans: Span[] = [span(text)];
  for (const chip of chips.keys()) {
    spans = spans.flatMap((each) => {
      if (each.style !== PLAIN || !each.text.includes(chip)) return [each];
      const parts = each.text.split(chip);
      return parts.flatMap((part, at) => (at === 0 ? [span(part)] : [span(chip, CHIP), span(part)]));
    });
  }
  return spans;
}

function searchRows({ search }: ComposerState, columns: number): ComposerView {
  const label = "search: ";
  const room = columns - COMPOSER_MARGIN - label.length - 1;
  const query = lastCells(sanitiseLine(search?.query ?? ""), room);
  return {
    rows: [row(span("> ", SIGN), span(label, MUTED), span(query))],
    cursor: { x: COMPOSER_MARGIN + label.length + stringWidth(query), y: 0 },
  };
}

/** The end of a text that fits. */
function lastCells(text: string, room: number): string {
  let shown = text;
  while (shown !== "" && stringWidth(shown) > room) shown = shown.slice(nextGrapheme(shown, 0));
  return shown;
}
