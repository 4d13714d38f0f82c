import type { TextBuffer } from "../input/index.ts";
import { CURSOR } from "../render/chrome.ts";
import { type Row, row, span, stringWidth, style } from "../text/index.ts";

const LABEL = style({ fg: "accent" });
const MUTED = style({ fg: "muted" });

type FieldRowOptions = {
  readonly label: string;
  readonly buffer: TextBuffer;
  readonly columns: number;
  readonly hint?: string;
};

/** A field of one line with the terminal's own cursor in it; the text scrolls so that the cursor is in view. */
export function fieldRows({ label, buffer, columns, hint }: FieldRowOptions): Row[] {
  const { text, offset } = buffer;
  const room = Math.max(8, columns - stringWidth(label) - 1);
  let from = 0;
  while (stringWidth(text.slice(from, offset)) >= room) from += 1;
  const [under = " "] = text.slice(offset);
  const after = text.slice(offset + under.length);
  return [
    row(span(label, LABEL), span(text.slice(from, offset)), span(under, CURSOR), span(after)),
    ...(hint ? [row(span(hint, MUTED))] : []),
  ];
}
