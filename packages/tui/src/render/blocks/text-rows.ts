import { ansiLines } from "../../text/ansi-text.ts";
import type { Row } from "../../text/style.ts";
import { wrapSpans } from "../../text/wrap.ts";
import { type BlockContext, firstLines, firstRows, type Limits, limitOf } from "./block-context.ts";

const LIMITS: Limits = { folded: 4, open: 2000 };

/** Output that has no other form: its own colours, its first lines. */
export function textRows(text: string, context: BlockContext, limits: Limits = LIMITS): Row[] {
  const limit = limitOf(context, limits);
  const { lines, more } = firstLines(text.replace(/\n+$/, ""), limit);
  const rows = ansiLines(lines.join("\n")).flatMap((line) => wrapSpans(line, context.width));
  return firstRows(rows, limit, more);
}
