import { eachGrapheme, isAscii } from "../text/width.ts";
import { previousGrapheme } from "./word-motion.ts";

export type Cell = { readonly row: number; readonly column: number };

/** A row of a line as drawn: `from` is its offset in the line, `text` has its tabs expanded. */
type LineRow = { readonly from: number; readonly to: number; readonly text: string };
type WrappedBuffer = { readonly width: number; readonly rows: readonly LineRow[] };
/** A line that never changes, so that its wrapping can be cached with it. */
export type BufferLine = { readonly text: string; wrapped?: WrappedBuffer };

export function bufferLine(text: string): BufferLine {
  return { text };
}

const TAB = "    ";

/** The width of a piece of a line; a tab is always as wide as `TAB`, so that columns do not depend on the row. */
function cells(text: string): number {
  if (isAscii(text)) return text.length;
  let total = 0;
  eachGrapheme(text, (grapheme, width) => {
    total += grapheme === "\t" ? TAB.length : width;
  });
  return total;
}

function wrapLine(text: string, width: number): LineRow[] {
  const drawn = (from: number, to: number): LineRow => ({ from, to, text: text.slice(from, to).replaceAll("\t", TAB) });
  if (isAscii(text) && text.length <= width) return [drawn(0, text.length)];
  const rows: LineRow[] = [];
  let from = 0;
  let used = 0;
  /** Where the row may end (after the last blank), and the cells up to there. */
  let border = 0;
  let borderUsed = 0;
  eachGrapheme(text, (grapheme, own, index) => {
    const size = grapheme === "\t" ? TAB.length : own;
    if (used + size > width && index > from) {
      const soft = border > from && border <= index;
      const end = soft ? border : index;
      rows.push(drawn(from, end));
      used = soft ? used - borderUsed : 0;
      from = end;
      border = from;
      borderUsed = 0;
    }
    used += size;
    if (grapheme === " " || grapheme === "\t") {
      border = index + 1;
      borderUsed = used;
    }
  });
  rows.push(drawn(from, text.length));
  return rows;
}

function rowsOf(line: BufferLine, width: number): readonly LineRow[] {
  if (line.wrapped?.width !== width) line.wrapped = { width, rows: wrapLine(line.text, width) };
  return line.wrapped.rows;
}

export type LinesLayout = {
  rows: string[];
  cellOf(line: number, column: number): Cell;
  positionOf(cell: Cell): { line: number; column: number };
  isContinued(row: number): boolean;
};

export function layoutLines(lines: readonly BufferLine[], width: number): LinesLayout {
  // One column is reserved for the cursor after a full row.
  const columns = Math.max(3, width) - 1;
  const rows: string[] = [];
  const firstRow: number[] = [];
  for (const line of lines) {
    firstRow.push(rows.length);
    for (const { text } of rowsOf(line, columns)) rows.push(text);
  }
  const wrappedOf = (line: number): readonly LineRow[] => {
    const at = lines[line];
    return at ? rowsOf(at, columns) : [];
  };

  const cellOf = (line: number, column: number): Cell => {
    const own = wrappedOf(line);
    const index = Math.max(
      0,
      own.findLastIndex((row) => row.from <= column),
    );
    const used = cells((lines[line]?.text ?? "").slice(own[index]?.from ?? 0, column));
    return { row: (firstRow[line] ?? 0) + index, column: Math.min(used, columns) };
  };

  const positionOf = ({ row, column }: Cell): { line: number; column: number } => {
    const line = Math.max(
      0,
      firstRow.findLastIndex((first) => first <= row),
    );
    const own = wrappedOf(line);
    const index = row - (firstRow[line] ?? 0);
    const { from, to } = own[index] ?? { from: 0, to: 0 };
    let used = 0;
    let at = from;
    let done = false;
    eachGrapheme((lines[line]?.text ?? "").slice(from, to), (grapheme, own, offset) => {
      const size = grapheme === "\t" ? TAB.length : own;
      if (done || used + size > column) done = true;
      else {
        used += size;
        at = from + offset + grapheme.length;
      }
    });
    // The end of a wrapped row is the start of the next one: stays on this one.
    const isLast = index === own.length - 1;
    return { line, column: !isLast && at === to && at > from ? previousGrapheme(lines[line]?.text ?? "", to) : at };
  };
  const starts = new Set(firstRow);
  return { rows, cellOf, positionOf, isContinued: (row) => !starts.has(row) };
}
