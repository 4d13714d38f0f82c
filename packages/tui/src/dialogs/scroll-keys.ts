/** Rows that one click of the wheel moves. */
export const WHEEL_ROWS = 3;

/** How far a key of a dialog scrolls its body. */
export function rowsToScroll(
  key: "up" | "down" | "pageUp" | "pageDown" | "first" | "last",
  { page, maxScroll }: { page: number; maxScroll: number },
): number {
  return { up: -1, down: 1, pageUp: -page, pageDown: page, first: -maxScroll, last: maxScroll }[key];
}

/** The row that scrolling by `by` leads to. */
export function scrolled({ scroll, maxScroll }: { scroll: number; maxScroll: number }, by: number): number {
  return Math.max(0, Math.min(maxScroll, scroll + by));
}
