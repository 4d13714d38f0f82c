import type { Row } from "../../text/style.ts";
import type { Frame } from "../frame.ts";

/**
 * Changes the texts of rows before they are painted. The same row gives the same object, because rows are compared by
 * identity.
 */
export function frameLook(change: (text: string) => string): (frame: Frame) => Frame {
  const known = new WeakMap<Row, Row>();
  const changed = (plain: Row): Row => {
    const before = known.get(plain);
    if (before) return before;
    const spans = plain.spans.map(({ text, style }) => ({ text: change(text), style }));
    const made = spans.every(({ text }, at) => text === plain.spans[at]?.text) ? plain : { ...plain, spans };
    known.set(plain, made);
    return made;
  };
  return (frame) => ({
    ...frame,
    rows: frame.rows.map(changed),
    ...(frame.above && { above: frame.above.map(changed) }),
  });
}
