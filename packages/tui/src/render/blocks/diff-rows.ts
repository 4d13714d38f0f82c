import type { DiffBlock } from "@harness/protocol";
import { sanitise } from "../../text/sanitise.ts";
import { PLAIN, type Row, type Span, style } from "../../text/style.ts";
import { expandTabs } from "../../text/tabs.ts";
import { prefixRows, wrapSpans } from "../../text/wrap.ts";
import type { Role } from "../../theme/theme.ts";
import { type BlockContext, firstLines, firstRows, type Limits, limitOf } from "./block-context.ts";
import { diffLines, numberColumns } from "./diff-lines.ts";

const LIMITS: Limits = { folded: 40, open: 5000 };
const HUNK = style({ fg: "hunk" });
const NUMBER = style({ fg: "muted" });
const TAB = 4;

const roleOfMark: Record<"+" | "-", Role> = { "+": "added", "-": "removed" };

/** Added and removed lines in colour, line numbers in front; wrapped rows go on under their text. */
export function diffRows(block: DiffBlock, context: BlockContext): Row[] {
  const limit = limitOf(context, LIMITS);
  const { lines, more } = firstLines(sanitise(block.hunks).replace(/\n$/, ""), limit);
  const read = diffLines(lines);
  const digits = numberColumns(read);
  const indent = digits + 3;
  const rows = read.flatMap((line) => {
    if ("hunk" in line) return wrapSpans([{ text: line.hunk, style: HUNK }], context.width, "hard").slice(0, 1);
    const look = line.mark === " " ? PLAIN : style({ fg: roleOfMark[line.mark] });
    const lead: Span[] = [
      { text: `${String(line.number).padStart(digits)} `, style: NUMBER },
      { text: `${line.mark} `, style: look },
    ];
    const text = expandTabs([{ text: line.text, style: look }], TAB);
    const rest: Span = { text: " ".repeat(indent), style: PLAIN };
    return prefixRows(wrapSpans(text, Math.max(1, context.width - indent), "hard"), lead, [rest]);
  });
  return firstRows(rows, limit, more);
}
