import type { TextSheet } from "../../state/overlay.ts";
import { prefixRows, type Row, row, span, style, textLines, wrapSpans } from "../../text/index.ts";

const HEADING = style({ bold: true });

/** The lines of an answer; further rows of a line are indented. */
export function textSheetRows({ title, text }: TextSheet, columns: number): Row[] {
  return [
    row(span(title, HEADING)),
    row(span(" ")),
    ...textLines(text).flatMap((line) => {
      const rows = wrapSpans([span(line)], Math.max(1, columns - 2));
      return prefixRows(rows, [], [span("  ")]);
    }),
  ];
}
