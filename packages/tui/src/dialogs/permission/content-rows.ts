import { code, prefixRows, type Row, row, type Span, span, style, type WrapMode, wrapSpans } from "../../text/index.ts";

type Style = Span["style"];

const MUTED = style({ fg: "muted" });
/** The most consecutive empty lines that are drawn as such. */
const MAX_EMPTY = 3;

/** A line after its lead; continuation rows are marked. */
export function contentRows(
  spans: Span[],
  { lead, look, width, mode = "hard" }: { lead: string; look: Style; width: number; mode?: WrapMode },
): Row[] {
  const rows = wrapSpans(spans, Math.max(1, width - lead.length), mode);
  const rest = span(
    `${" ".repeat(lead.length - 2)}┊ `,
    look.bg === undefined ? MUTED : style({ fg: "muted", bg: look.bg }),
  );
  return prefixRows(rows, [span(lead, look)], [rest]);
}

/** Rows of lines; a long run of empty lines becomes a count. */
export function withoutGaps<T>(
  lines: readonly T[],
  isEmpty: (line: T) => boolean,
  draw: (line: T, at: number) => Row[],
  lead: string,
): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < lines.length; ) {
    let end = at;
    while (end < lines.length && isEmpty(lines[end] as T)) end += 1;
    if (end - at > MAX_EMPTY) {
      rows.push(row(span(lead), code(`${end - at} empty lines`)));
      at = end;
      continue;
    }
    for (const last = Math.max(end, at + 1); at < last; at += 1) rows.push(...draw(lines[at] as T, at));
  }
  return rows;
}
