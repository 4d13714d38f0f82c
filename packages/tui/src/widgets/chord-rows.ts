import { keyLabel } from "../keymap/key-name.ts";
import type { PendingChord } from "../keymap/pending-chord.ts";
import { type Row, row, type Span, span, spansWidth, style, truncateRow } from "../text/index.ts";

const KEY = style({ fg: "accent" });
const MUTED = style({ fg: "muted" });
const SEPARATOR = span(" · ", MUTED);
/** Rows after the first. */
const INDENT = " ";

/** How a chord can continue: ` Ctrl+X … A agents · H Home · Esc cancels`, in as many rows as the words need. */
export function chordRows({ first, next }: PendingChord, columns: number): Row[] {
  const start = span(` ${keyLabel(first)} …  `);
  const rows: Span[][] = [[start]];
  let used = spansWidth([start]);
  let isFirst = true;
  for (const { key, hint } of [...next, { key: "esc", hint: "cancels" }]) {
    const words = [span(keyLabel(key), KEY), span(` ${hint}`, MUTED)];
    const width = spansWidth(words);
    const gap = isFirst ? [] : [SEPARATOR];
    const isWrapped = !isFirst && used + spansWidth(gap) + width > columns;
    if (isWrapped) rows.push([span(INDENT), ...words]);
    else rows.at(-1)?.push(...gap, ...words);
    used = isWrapped ? INDENT.length + width : used + spansWidth(gap) + width;
    isFirst = false;
  }
  return rows.map((spans) => truncateRow(row(...spans), columns));
}
