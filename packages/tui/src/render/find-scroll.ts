import type { Row } from "../text/style.ts";

/** Rows `top`…`bottom` (both included) of the old screen move up by `by` (down if negative). */
export type Scroll = { top: number; bottom: number; by: number };

/** Fewer rows than this are as cheap to rewrite. */
const MIN_ROWS = 3;

/** Finds a block of rows that only moved. Rows are equal if they are the same object. */
export function findScroll(before: readonly Row[], after: readonly Row[]): Scroll | undefined {
  let low = 0;
  let high = after.length - 1;
  while (low <= high && before[low] === after[low]) low += 1;
  while (high >= low && before[high] === after[high]) high -= 1;
  if (high - low < MIN_ROWS) return undefined;

  const by = commonShift(before, after, low, high);
  if (by === undefined) return undefined;
  let first = -1;
  let last = -1;
  let moved = 0;
  for (let y = low; y <= high; y++) {
    const from = y + by;
    if (from < low || from > high || before[from] !== after[y]) continue;
    if (first < 0) first = y;
    last = y;
    moved += 1;
  }
  const top = Math.min(first, first + by);
  const bottom = Math.max(last, last + by);
  return moved >= MIN_ROWS && moved * 2 >= bottom - top + 1 ? { top, bottom, by } : undefined;
}

/** The distance most rows moved by. */
function commonShift(before: readonly Row[], after: readonly Row[], low: number, high: number): number | undefined {
  const places = new Map<Row, number>();
  for (let y = low; y <= high; y++) {
    const row = before[y];
    if (row && row.spans.length > 0) places.set(row, y);
  }
  const votes = new Map<number, number>();
  let best: number | undefined;
  for (let y = low; y <= high; y++) {
    const from = places.get(after[y] as Row);
    if (from === undefined || from === y) continue;
    const count = (votes.get(from - y) ?? 0) + 1;
    votes.set(from - y, count);
    if (best === undefined || count > (votes.get(best) ?? 0)) best = from - y;
  }
  return best;
}
