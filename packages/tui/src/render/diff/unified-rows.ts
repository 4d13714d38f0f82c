import { padRow, truncateRow } from "../../text/fit.ts";
import { PLAIN, type Row, type Span, style } from "../../text/style.ts";
import { prefixRows, wrapSpans } from "../../text/wrap.ts";
import { mutedRow } from "../block-context.ts";
import type { TextRange } from "./changed-words.ts";
import type { DiffLine, DiffSide } from "./diff-lines.ts";
import { lineSpans, tintOf } from "./line-spans.ts";
import type { Gap } from "./shown-context.ts";

/**
 * How to draw the lines of a diff: the columns of their numbers, their width, their colours and their changed words;
 * `opens` follows what is folded.
 */
export type DiffLineOptions = {
  readonly digits: number;
  readonly width: number;
  readonly opens: string;
  readonly coloured: ReadonlyMap<DiffLine, readonly Span[]>;
  readonly changed: ReadonlyMap<DiffLine, readonly TextRange[]>;
};

const NUMBER = style({ fg: "muted" });
const roleOfMark = { "+": "added", "-": "removed" } as const;

/** Removed lines above the added ones; what does not fit a row continues under its text. */
export function unifiedRows(lines: readonly (DiffLine | Gap)[], options: DiffLineOptions): Row[] {
  return lines.flatMap((line) => ("mark" in line ? sideRows(line, line.number, options) : [remarkRow(line, options)]));
}

/** A row that is not a line of the file. */
export function remarkRow(line: Exclude<DiffLine, DiffSide> | Gap, { digits, width, opens }: DiffLineOptions): Row {
  return truncateRow(mutedRow(`${" ".repeat(digits)} ${remark(line, opens)}`), width);
}

function remark(line: Exclude<DiffLine, DiffSide> | Gap, opens: string): string {
  if ("remark" in line) return line.remark;
  if (!("unchanged" in line)) return "⋯";
  const { unchanged, canOpen } = line;
  const count = `${unchanged.toLocaleString("en")} unchanged ${unchanged === 1 ? "line" : "lines"}`;
  return `⋯ ${count}${canOpen ? opens : ""}`;
}

/** One line of the file with its number and sign, tinted over its whole width. */
export function sideRows(line: DiffSide, number: number, { digits, width, coloured, changed }: DiffLineOptions): Row[] {
  const { mark } = line;
  const indent = digits + 3;
  const text = lineSpans(line, coloured.get(line), changed.get(line));
  const rows = wrapSpans(text, Math.max(1, width - indent), "hard");
  const lead = `${String(number).padStart(digits)} `;
  if (mark === " ") {
    const blank: Span = { text: " ".repeat(indent), style: PLAIN };
    return withMargin(prefixRows(rows, [{ text: `${lead}  `, style: NUMBER }], [blank]), indent);
  }
  const bg = tintOf[mark].line;
  const tint = style({ bg });
  const first: Span[] = [
    { text: lead, style: style({ fg: "muted", bg }) },
    { text: `${mark} `, style: style({ fg: roleOfMark[mark], bg }) },
  ];
  const rest: Span = { text: " ".repeat(indent), style: tint };
  return withMargin(prefixRows(rows, first, [rest]), indent).map((row) => padRow(row, width, tint));
}

/** Numbers and signs are not copied. */
function withMargin(rows: readonly Row[], margin: number): Row[] {
  return rows.map((row) => ({ ...row, copy: { ...row.copy, margin } }));
}
