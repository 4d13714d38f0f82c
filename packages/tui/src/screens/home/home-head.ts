import { type Row, row, sanitiseLine, span, style, truncateRow } from "../../text/index.ts";

const NAME = style({ fg: "accent", bold: true });
const MUTED = style({ fg: "muted" });

/** The first row of Home: name, version and folder. The window's first frame has it, too. */
export function homeHead({ version, cwd }: { version: string; cwd: string }, columns: number): Row {
  return truncateRow(row(span(" harness", NAME), span(` ${version}   ${sanitiseLine(cwd)}`, MUTED)), columns);
}
