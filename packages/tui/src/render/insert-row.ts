import { padRow, truncateRow } from "../text/fit.ts";
import type { Row, Span } from "../text/style.ts";
import { eachGrapheme } from "../text/width.ts";
import { prefixRow } from "../text/wrap.ts";

/** The cells of a row from `from` up to but excluding `to`; half of a wide character at an edge becomes a blank. */
function cells({ spans }: Row, from: number, to: number): Span[] {
  const cut: Span[] = [];
  let x = 0;
  for (const { text, style } of spans) {
    let kept = "";
    eachGrapheme(text, (grapheme, width) => {
      const isWhole = x >= from && x + width <= to;
      if (isWhole) kept += grapheme;
      else if (x + width > from && x < to) kept += " ";
      x += width;
    });
    if (kept !== "") cut.push({ text: kept, style });
  }
  return cut;
}

/** A row with a second one drawn over its cells from `x` on, `columns` wide. */
export function insertRow(base: Row, own: Row, { x, columns }: { x: number; columns: number }): Row {
  const before = padRow({ spans: cells(base, 0, x) }, x).spans;
  const after = cells(base, x + columns, Number.POSITIVE_INFINITY);
  const inner = truncateRow(own, columns);
  const placed = prefixRow(after.length > 0 ? padRow(inner, columns) : inner, before);
  return { ...placed, spans: [...placed.spans, ...after] };
}
