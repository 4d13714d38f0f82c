/** A line and where its cursor is, in UTF-16 units. */
export type Line = { readonly text: string; readonly offset: number };

const LEFT = "\u001b[D";
const RIGHT = "\u001b[C";
const BACKSPACE = "\u007f";

/**
 * The keys that make one line of another in a field that knows the arrows, Backspace and text; a text is one key. With
 * these, a field that knows no words can delete one.
 */
export function keystrokes(from: Line, to: Line): string[] {
  // As much as possible stays at both ends, but nothing beyond the cursors: "aa" is typed where the cursor is.
  const start = common(Math.min(from.offset, to.offset), (at) => from.text[at] === to.text[at]);
  const rest = Math.min(from.text.length, to.text.length) - start;
  const end = common(rest, (at) => from.text.at(-1 - at) === to.text.at(-1 - at));
  const removed = from.text.length - start - end;
  const text = to.text.slice(start, to.text.length - end);
  if (removed === 0 && text === "") return moves(from.offset, to.offset);
  return [
    ...moves(from.offset, start + removed),
    ...Array.from({ length: removed }, () => BACKSPACE),
    ...(text === "" ? [] : [text]),
    ...moves(start + text.length, to.offset),
  ];
}

function common(limit: number, isSame: (at: number) => boolean): number {
  let count = 0;
  while (count < limit && isSame(count)) count += 1;
  return count;
}

function moves(from: number, to: number): string[] {
  return Array.from({ length: Math.abs(to - from) }, () => (to < from ? LEFT : RIGHT));
}
