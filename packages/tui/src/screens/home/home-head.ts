import { type Row, row, sanitiseLine, span, style, truncateRow } from "../../text/index.ts";

const NAME = style({ fg: "accent", bold: true });
const FACE = style({ fg: "accent" });
const MUTED = style({ fg: "muted" });

/** A calm face, in characters that every font has. */
const MARK = [" .---. ", " |o o| ", " '-u-' "] as const;
/** With fewer rows there is only a line. */
const ROWS_FOR_MARK = 20;

/** The first rows of Home: mark, name, version and folder. The window's first frame has them, too. */
export function homeHead(
  { version, cwd }: { version: string; cwd: string },
  { columns, rows }: { columns: number; rows: number },
): Row[] {
  const folder = span(sanitiseLine(cwd), MUTED);
  const name = [span(" harness", NAME), span(` ${version}`, MUTED)];
  if (rows < ROWS_FOR_MARK) return [truncateRow(row(...name, span("   "), folder), columns)];
  const beside = [[], name, [span(" "), folder]];
  return MARK.map((line, at) => truncateRow(row(span(line, FACE), ...(beside[at] ?? [])), columns));
}
