import { EMPTY_ROW, padRow, type Row, row, type Span, span, spansWidth, style, truncateRow } from "../text/index.ts";
import type { Role } from "../theme/theme.ts";

const MARKED = style({ fg: "accent", bold: true });

/** The beginning of a list row; the marked one stands out. */
export function listMarker(
  text: string,
  { isMarked, look }: { isMarked: boolean; look?: Span["style"] | undefined },
): Span {
  return isMarked ? span(`› ${text}`, MARKED) : span(`  ${text}`, look);
}

/** Two parts at both ends of a row; the left one is cut if there is not enough room. */
export function spread(left: readonly Span[], right: readonly Span[], width: number): Row {
  const room = Math.max(0, width - spansWidth(right));
  return row(...padRow(truncateRow({ spans: left }, room), room).spans, ...right);
}

/** Rows with a blank at both sides. */
export function inset(rows: readonly Row[], columns: number): Row[] {
  return rows.map((each) => row(span(" "), ...truncateRow(each, columns - 2).spans));
}

/** A frame around rows; `height` cuts or pads them. */
export function framed(rows: readonly Row[], role: Role, columns: number, height = rows.length + 2): Row[] {
  const look = style({ fg: role });
  const line = "─".repeat(columns - 2);
  const inner = Array.from({ length: height - 2 }, (_, at) => {
    const cells = padRow(truncateRow(rows[at] ?? EMPTY_ROW, columns - 4), columns - 4).spans;
    return row(span("│", look), span(" "), ...cells, span(" "), span("│", look));
  });
  return [row(span(`╭${line}╮`, look)), ...inner, row(span(`╰${line}╯`, look))];
}

type TitledBoxOptions = {
  readonly role: Role;
  readonly columns: number;
  readonly title: readonly Span[];
  readonly end: readonly Span[];
  /** Words in the bottom edge. */
  readonly foot?: Row | undefined;
};

/** A frame with a title in its top edge, and `end` at the right of it; a long title is cut. */
export function titledFrame(rows: readonly Row[], { role, columns, title, end, foot }: TitledBoxOptions): Row[] {
  const look = style({ fg: role });
  // `╭ `, ` ─`, ` ` and ` ╮` around both.
  const room = Math.max(0, columns - spansWidth(end) - 8);
  const { spans } = truncateRow({ spans: title }, room);
  const dashes = "─".repeat(Math.max(1, columns - spansWidth(spans) - spansWidth(end) - 6));
  const corner = end.length === 0 ? [span("──╮", look)] : [span(" ", look), ...end, span(" ╮", look)];
  const edge = row(span("╭ ", look), ...spans, span(` ${dashes}`, look), ...corner);
  const body = framed(rows, role, columns).slice(1);
  return [truncateRow(edge, columns), ...(foot ? [...body.slice(0, -1), footEdge(foot, role, columns)] : body)];
}

function footEdge(foot: Row, role: Role, columns: number): Row {
  const look = style({ fg: role });
  const words = truncateRow(foot, Math.max(0, columns - 6)).spans;
  const dashes = "─".repeat(Math.max(1, columns - spansWidth(words) - 5));
  return row(span("╰─ ", look), ...words, span(` ${dashes}╯`, look));
}
