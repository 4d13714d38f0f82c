import type { ChromeView } from "../state/chrome-view.ts";
import { EMPTY_ROW, type Row, row, span, style, truncateRow } from "../text/index.ts";
import { chordRows } from "./chord-rows.ts";
import { leaveText } from "./hud-row.ts";

const MUTED = style({ fg: "muted" });
const WARNING = style({ fg: "warning" });

/** The parts of the view for the last row of an overlay. */
export type OverlayView = Pick<ChromeView, "size" | "leaveArmed" | "chord" | "keys">;

/** The whole screen: the body, cut or padded, above a last row about its keys. */
export function overlayFrame(body: readonly Row[], keys: string, view: OverlayView): Row[] {
  const above = Array.from({ length: view.size.rows - 1 }, (_, at) => body[at] ?? EMPTY_ROW);
  return [...above, keysRow(keys, view)];
}

/** The last row of an overlay, which explains its keys. */
export function keysRow(keys: string, { size, leaveArmed, chord, keys: names }: OverlayView): Row {
  const words = row(span(` ${leaveArmed ? leaveText(names) : keys}`, leaveArmed ? WARNING : MUTED));
  // Few keys of a chord work on an overlay: they fit.
  const [shown = words] = chord ? chordRows(chord, size.columns) : [];
  return truncateRow(shown, size.columns);
}
