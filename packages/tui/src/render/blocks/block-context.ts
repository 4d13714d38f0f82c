import type { DrawingCode } from "../../text/markdown/drawing-code.ts";
import type { Row, Span } from "../../text/style.ts";
import { PLAIN, style } from "../../text/style.ts";

/** How a block is to be drawn: at most `width` cells wide; `open` shows what folding hides; `code` draws Markdown. */
export type BlockContext = { readonly width: number; readonly open: boolean; readonly code: DrawingCode };

/** Rows shown of a folded block and of an open one, where something must be left out. */
export type Limits = { readonly folded: number; readonly open: number };

const MUTED = style({ fg: "muted" });

export function mutedRow(text: string): Row {
  return { spans: [{ text, style: MUTED }] };
}

function moreLines(count: number): Row {
  return mutedRow(`… ${count.toLocaleString("en")} more ${count === 1 ? "line" : "lines"}`);
}

/** The first rows, and how much is missing; `hidden` lines were not even wrapped. A very long line is many rows. */
export function firstRows(rows: readonly Row[], limit: number, hidden: number): Row[] {
  const missing = Math.max(0, rows.length - limit) + hidden;
  return missing > 0 ? [...rows.slice(0, limit), moreLines(missing)] : [...rows];
}

export function limitOf({ open }: BlockContext, limits: Limits): number {
  return open ? limits.open : limits.folded;
}

export function plainSpan(text: string): Span {
  return { text, style: PLAIN };
}

/** The first lines of a text and how many it has beyond them; costs no more than finding its newlines. */
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

/** Lines of a text from an offset on. */
export function countLines(text: string, from = 0): number {
  let count = 0;
  let at = from;
  for (let end = text.indexOf("\n", at); end >= 0; end = text.indexOf("\n", at)) {
    count += 1;
    at = end + 1;
  }
  return count + (at < text.length ? 1 : 0);
}
