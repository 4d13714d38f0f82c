import { EMPTY_ROW, type Row } from "../text/style.ts";
import type { Chrome } from "./chrome.ts";
import type { Frame } from "./frame.ts";

/** Stacks the transcript above chrome that is only as high as it needs; `body` gets the height that is left. */
export function stack(rows: number, chrome: Chrome, body: (height: number) => readonly Row[]): Frame {
  const height = Math.max(0, rows - chrome.rows.length);
  const above = body(height).slice(0, height);
  const missing = Array.from({ length: height - above.length }, () => EMPTY_ROW);
  const { cursor } = chrome;
  // On a screen lower than the chrome its end, the composer, stays in view.
  const cut = Math.max(0, chrome.rows.length - rows);
  return {
    rows: [...above, ...missing, ...chrome.rows.slice(cut)],
    cursor: cursor && cursor.y >= cut ? { x: cursor.x, y: cursor.y + height - cut } : undefined,
  };
}
