import { PLAIN, type Row, type Span, type Style } from "./style.ts";
import { eachGrapheme, isAscii, stringWidth } from "./width.ts";
import { spansWidth } from "./wrap.ts";

const ELLIPSIS = "…";

/** The longest prefix of a text that fits. */
function head(text: string, width: number): string {
  if (isAscii(text)) return text.slice(0, Math.max(0, width));
  let used = 0;
  let end = 0;
  eachGrapheme(text, (grapheme, own, index) => {
    used += own;
    if (used <= width) end = index + grapheme.length;
  });
  return text.slice(0, end);
}

/** A row of at most `width` cells; an ellipsis in the surrounding style replaces what was cut. */
export function truncateRow(row: Row, width: number): Row {
  if (spansWidth(row.spans) <= width) return row;
  if (width <= 0) return { spans: [] };
  const spans: Span[] = [];
  let room = width - 1;
  let style: Style = PLAIN;
  for (const each of row.spans) {
    const text = head(each.text, room);
    if (text !== "") spans.push({ text, style: each.style });
    room -= spansWidth([{ text, style: each.style }]);
    style = each.style;
    if (text !== each.text) break;
  }
  return { ...row, spans: [...spans, { text: ELLIPSIS, style }] };
}

export function truncateText(text: string, width: number): string {
  return truncateRow({ spans: [{ text, style: PLAIN }] }, width)
    .spans.map((span) => span.text)
    .join("");
}

/** Keeps the beginning and the end of a name. */
export function truncateMiddle(text: string, width: number): string {
  if (stringWidth(text) <= width || width < 3) return truncateText(text, width);
  const start = head(text, Math.ceil((width - 1) / 2));
  const room = width - 1 - stringWidth(start);
  let end = "";
  let used = 0;
  for (const grapheme of graphemesOf(text).reverse()) {
    used += stringWidth(grapheme);
    if (used > room) break;
    end = grapheme + end;
  }
  return `${start}${ELLIPSIS}${end}`;
}

function graphemesOf(text: string): string[] {
  const found: string[] = [];
  eachGrapheme(text, (grapheme) => found.push(grapheme));
  return found;
}

/** Pads the row with blanks up to `width` cells. */
export function padRow(row: Row, width: number, style: Style = PLAIN): Row {
  const missing = width - spansWidth(row.spans);
  return missing > 0 ? { ...row, spans: [...row.spans, { text: " ".repeat(missing), style }] } : row;
}
