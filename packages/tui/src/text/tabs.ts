import type { Span } from "./style.ts";
import { stringWidth } from "./width.ts";

export const TAB_STOP = 8;

/**
 * Replaces the tabs of one line with blanks up to the next stop. `column`: where the line starts relative to the stops.
 */
export function expandTabs(spans: readonly Span[], stop = TAB_STOP, column = 0): readonly Span[] {
  if (!spans.some(({ text }) => text.includes("\t"))) return spans;
  let at = column;
  return spans.map(({ text, style }) => {
    let out = "";
    for (const [index, part] of text.split("\t").entries()) {
      if (index > 0) {
        const blanks = stop - (at % stop);
        out += " ".repeat(blanks);
        at += blanks;
      }
      out += part;
      at += stringWidth(part);
    }
    return { text: out, style };
  });
}
