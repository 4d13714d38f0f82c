import type { TextSheet } from "../../state/text-sheet.ts";
import {
  prefixRows,
  type Row,
  row,
  type Span,
  span,
  style,
  textLines,
  wrapColumns,
  wrapSpans,
} from "../../text/index.ts";
import { diffSheetRows } from "./diff-sheet-rows.ts";

const HEADING = style({ bold: true });
const MUTED = style({ fg: "muted" });
const INDENT = "  ";
const FOUND = style({ fg: "accent", bold: true });

/** The lines of an answer; continuation rows are indented, and after a name they align with its text. */
export function textSheetRows({ title, text, look }: TextSheet, columns: number): Row[] {
  const width = Math.max(1, columns - 2);
  const head = [row(span(title, HEADING)), row(span(" "))];
  if (look === "diff") return [...head, ...diffSheetRows(text, width)];
  const lines = textLines(text);
  if (!look) return [...head, ...lines.flatMap((line) => wrapColumns(span(line), columns, INDENT.length))];
  const spansOf = foundSpans(look.found);
  return [...head, ...lines.flatMap((line) => prefixRows(wrapSpans(spansOf(line), width), [], [span(INDENT)]))];
}

/** The place of a match is muted, and the words searched for stand out. */
function foundSpans(words: readonly string[]): (line: string) => Span[] {
  const escaped = words.filter((word) => word !== "").map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const wanted = escaped.length > 0 ? new RegExp(`(${escaped.join("|")})`, "iu") : undefined;
  return (line) => {
    const [place = ""] = /^#\d+ [^:]*: /.exec(line) ?? [];
    const parts = wanted ? line.slice(place.length).split(wanted) : [line.slice(place.length)];
    // The words themselves are at the odd indexes.
    return [span(place, MUTED), ...parts.map((part, at) => span(part, at % 2 === 1 ? FOUND : undefined))];
  };
}
