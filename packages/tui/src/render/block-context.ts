import type { KeyLabels } from "../keymap/key-labels.ts";
import { truncateRow } from "../text/fit.ts";
import type { DrawingCode } from "../text/markdown/drawing-code.ts";
import type { Row, Span } from "../text/style.ts";
import { PLAIN, style } from "../text/style.ts";

/**
 * How to draw a block: at most `width` cells wide; `open` shows what folding hides; `code` draws Markdown; `keys` names
 * the keys.
 */
export type BlockContext = {
  readonly width: number;
  readonly open: boolean;
  readonly code: DrawingCode;
  readonly keys: KeyLabels;
  /** The folder that paths are shown relative to. */
  readonly root: string;
};

/** Maximum rows of a folded and of an open block. */
export type FoldLimits = { readonly folded: number; readonly open: number };

const MUTED = style({ fg: "muted" });

export function mutedRow(text: string): Row {
  return { spans: [{ text, style: MUTED }] };
}

/** ` · Ctrl+O` after something folded: the key that opens it; empty if no key does. */
export function opensText({ keys }: Pick<BlockContext, "keys">): string {
  return keys.tail("anywhere.fold");
}

/** How much of a text to show: the maximum number of rows, their width, and whether it is already open. */
type CutOptions = { readonly limit: number } & RowSpace;
export type RowSpace = Pick<BlockContext, "open" | "width" | "keys">;

export function cutOf({ open, width, keys }: RowSpace, limits: FoldLimits): CutOptions {
  return { limit: open ? limits.open : limits.folded, open, width, keys };
}

/** `… 12 more lines · Ctrl+O` */
export function missingRow(count: number, what: string, { open, width, keys }: RowSpace, where = "more"): Row {
  const named = count === 1 ? what : what.replace(/y$/, "ie").concat("s");
  const text = where === "more" ? `more ${named}` : `${named} ${where}`;
  return truncateRow(mutedRow(`… ${count.toLocaleString("en")} ${text}${open ? "" : opensText({ keys })}`), width);
}

/** A fold that hides fewer rows than this is not worth its key. */
export const LEAST_FOLDED = 4;

/** The first rows, and how much is missing; the `hidden` lines were not even wrapped. A very long line is many rows. */
export function firstRows(rows: readonly Row[], hidden: number, cut: CutOptions): Row[] {
  if (!cut.open && hidden === 0 && rows.length - cut.limit < LEAST_FOLDED) return [...rows];
  const missing = Math.max(0, rows.length - cut.limit) + hidden;
  return missing > 0 ? [...rows.slice(0, cut.limit), missingRow(missing, "line", cut)] : [...rows];
}

export function plainSpan(text: string): Span {
  return { text, style: PLAIN };
}

/** The first lines of a text and the number of lines after them; costs no more than finding its newlines. */
export function firstLines(text: string, count: number): { lines: string[]; more: number } {
  const lines: string[] = [];
  let from = 0;
  while (lines.length < count) {
    const end = text.indexOf("\n", from);
    if (end < 0) {
      if (from < text.length || lines.length === 0) lines.push(text.slice(from));
      return { lines, more: 0 };
    }
    lines.push(text.slice(from, end));
    from = end + 1;
  }
  return { lines, more: countLines(text, from) };
}

/** Counts the lines of a text from an offset on. */
function countLines(text: string, from = 0): number {
  let count = 0;
  let at = from;
  for (let end = text.indexOf("\n", at); end >= 0; end = text.indexOf("\n", at)) {
    count += 1;
    at = end + 1;
  }
  return count + (at < text.length ? 1 : 0);
}
