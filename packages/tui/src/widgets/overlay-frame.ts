import type { ChromeView } from "../state/chrome-view.ts";
import { EMPTY_ROW, type Row, row, span, style, truncateRow } from "../text/index.ts";
import { chordRow } from "./chord-row.ts";
import { LEAVE_TEXT } from "./hud-row.ts";

const MUTED = style({ fg: "muted" });
const WARNING = style({ fg: "warning" });

/** The whole screen: the body, cut or filled, above a last row about its keys. */
export function overlayFrame(
  body: readonly Row[],
  keys: string,
  { size, leaveArmed, chord }: Pick<ChromeView, "size" | "leaveArmed" | "chord">,
): Row[] {
  const words = row(span(` ${leaveArmed ? LEAVE_TEXT : keys}`, leaveArmed ? WARNING : MUTED));
  const last = chord ? chordRow(chord, size.columns) : words;
  const above = Array.from({ length: size.rows - 1 }, (_, at) => body[at] ?? EMPTY_ROW);
  return [...above, truncateRow(last, size.columns)];
}
