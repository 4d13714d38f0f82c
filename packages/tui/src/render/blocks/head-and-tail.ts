import type { StyledLine } from "../../text/ansi-text.ts";
import type { Row } from "../../text/style.ts";
import { type WrapMode, wrapSpans } from "../../text/wrap.ts";
import { type BlockContext, LEAST_FOLDED, missingRow, type RowSpace } from "../block-context.ts";

/** Rows at the start and at the end of a long output while it is folded, and the number of rows when it is open. */
export type Ends = { readonly head: number; readonly tail: number; readonly open: number };

/**
 * A long output: its start says what it is, its end how it went. One that is not much longer than the limit is shown
 * whole.
 */
export function headAndTail(lines: readonly StyledLine[], ends: Ends, context: BlockContext, mode: WrapMode): Row[] {
  const { open, width } = context;
  const [head, tail] = open ? [0, ends.open] : [ends.head, ends.tail];
  const most = head + tail + (open ? 0 : LEAST_FOLDED - 1);
  if (lines.length <= most) {
    const rows = lines.flatMap((line) => wrapSpans(line, width, mode));
    if (rows.length <= most) return rows;
    return joinParts(rows.slice(0, head), rows.slice(rows.length - tail), rows.length - head - tail, context);
  }
  const first = lines.slice(0, head).flatMap((line) => wrapSpans(line, width, mode));
  const last = lines.slice(-tail).flatMap((line) => wrapSpans(line, width, mode));
  const hidden = lines.length - head - tail + Math.max(0, first.length - head) + Math.max(0, last.length - tail);
  return joinParts(first.slice(0, head), last.slice(-tail), hidden, context);
}

function joinParts(head: readonly Row[], tail: readonly Row[], missing: number, space: RowSpace): Row[] {
  const where = head.length === 0 ? "above" : "more";
  return [...head, missingRow(missing, "line", space, where), ...tail];
}
