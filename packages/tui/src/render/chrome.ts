import { type Row, type Span, span, style } from "../text/style.ts";
import { spansWidth } from "../text/wrap.ts";
import type { Painting } from "./canvas.ts";

/**
 * The style of the character under the cursor, in rows and (as a colour) in an Ink tree. It is removed from the frame
 * and never shown.
 */
export const CURSOR = style({ fg: "#010203" });

function isCursor({ style: look }: Span): boolean {
  return look === CURSOR;
}

/** Removes the cursor mark from rows. */
export function chromeOf(rows: readonly Row[]): Painting {
  const y = rows.findIndex(({ spans }) => spans.some(isCursor));
  const spans = rows[y]?.spans ?? [];
  if (y < 0) return { rows };
  const x = spansWidth(spans.slice(0, spans.findIndex(isCursor)));
  const plain = spans.map((each) => (isCursor(each) ? span(each.text) : each));
  return { rows: rows.with(y, { ...rows[y], spans: plain }), cursor: { x, y } };
}
