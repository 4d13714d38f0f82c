import { EMPTY_ROW, type Row } from "../text/style.ts";
import { eachGrapheme } from "../text/width.ts";
import { KITTY_PLACEHOLDER } from "./pictures/kitty-picture.ts";

/** A cell of a row; `link`: the address that it opens. */
export type RowCell = { readonly text: string; readonly x: number; readonly width: number; readonly link?: string };
/** A cell, by its line. */
export type LinePoint = { readonly x: number; readonly line: number };
export type CellRange = { readonly from: LinePoint; readonly to: LinePoint };

const END = Number.MAX_SAFE_INTEGER;
/** Characters of a word in programs and paths. */
const WORD = /[\p{L}\p{N}_./\\~:@%+#=&?-]/u;
/** An address up to a blank, without the sign that ends its sentence or bracket. */
const ADDRESS = /\b[a-z][a-z\d+.-]*:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}]/giu;

function cellsOf({ spans }: Row): RowCell[] {
  const cells: RowCell[] = [];
  let x = 0;
  for (const { text, style } of spans)
    eachGrapheme(text, (grapheme, width) => {
      cells.push({ text: grapheme, x, width, ...(style.link !== undefined && { link: style.link }) });
      x += width;
    });
  return cells;
}

export function overlaps({ x, width }: RowCell, first: number, last: number): boolean {
  return x <= last && x + Math.max(1, width) > first;
}

/**
 * The text between two cells as it was written: rows of one line are joined, the window's margins and the blanks at the
 * ends of lines are left out.
 */
export function writtenText(rowAt: (line: number) => Row | undefined, { from, to }: CellRange): string {
  const lines: string[] = [];
  const begun = rowAt(from.line)?.copy?.sides?.findLastIndex((side, at) => at === 0 || side.from <= from.x);
  for (let line = from.line; line <= to.line; line += 1) {
    const row = rowAt(line) ?? EMPTY_ROW;
    const { margin, end, joined, isAbsent } = copiedPart(row, begun);
    if (isAbsent) continue;
    const first = Math.max(line === from.line ? from.x : 0, margin);
    const last = Math.min(line === to.line ? to.x : END, end);
    const whole = row.copy?.whole;
    if (whole && isWhole(rowAt, { from, to }, line, whole.rows)) {
      lines.push(whole.text);
      line += whole.rows - 1;
      continue;
    }
    const text = cellsOf(row)
      .filter((each) => overlaps(each, first, last))
      .map((each) => (each.text.startsWith(KITTY_PLACEHOLDER) ? "" : each.text))
      .join("");
    const before = joined === undefined || line === from.line ? undefined : lines.pop();
    if (before === undefined) lines.push(text);
    else lines.push(text === "" ? before : `${before}${joined}${text}`);
  }
  return lines
    .map((line) => line.trimEnd())
    .join("\n")
    .replace(/^\n+|\n+$/g, "");
}

type CopiedPart = { margin: number; end: number; joined: string | undefined; isAbsent: boolean };

/** The cells of a row that are copied. Of texts beside each other: of the one at `side`, or else of the last one. */
function copiedPart({ copy }: Row, side: number | undefined): CopiedPart {
  const chosen = copy?.sides?.[side ?? copy.sides.length - 1];
  if (!chosen) return { margin: copy?.margin ?? 0, end: END, joined: copy?.joined, isAbsent: false };
  const { from, to, margin, joined, isAbsent = false } = chosen;
  return { margin: from + margin, end: to - 1, joined, isAbsent };
}

/** Whether a selection covers all rows that are copied as one text, the first of them at `line`. */
function isWhole(
  rowAt: (line: number) => Row | undefined,
  { from, to }: CellRange,
  line: number,
  rows: number,
): boolean {
  const end = line + rows - 1;
  const begins = cellsOf(rowAt(line) ?? EMPTY_ROW).find(({ text, x }) => text !== " " && x >= from.x);
  const isBegun = line > from.line || firstShown(rowAt(line)) === begins?.x;
  return isBegun && (end < to.line || (end === to.line && to.x >= lastShown(rowAt(end))));
}

function firstShown(row: Row = EMPTY_ROW): number | undefined {
  return cellsOf(row).find(({ text, x }) => text !== " " && x >= (row.copy?.margin ?? 0))?.x;
}

function lastShown(row: Row = EMPTY_ROW): number {
  return cellsOf(row).findLast(({ text }) => text !== " ")?.x ?? 0;
}

/** A line over all of its rows; `at`: its index among them of a cell. */
type WholeLine = { readonly cells: readonly (RowCell & { readonly line: number })[]; readonly at: number };

/** The word, address or link at a cell, or the blank itself, over all rows of its line. */
export function wordAround(rowAt: (line: number) => Row | undefined, cell: LinePoint): CellRange {
  const { cells, at } = wholeLine(rowAt, cell);
  const found = cells[at];
  if (!found) return { from: cell, to: cell };
  const isSame = kindOf(cells, at);
  let [from, to] = [at, at];
  while (from > 0 && isSame(from - 1)) from -= 1;
  while (to + 1 < cells.length && isSame(to + 1)) to += 1;
  const ends = { from: cells[from] ?? found, to: cells[to] ?? found };
  return { from: { x: ends.from.x, line: ends.from.line }, to: { x: ends.to.x, line: ends.to.line } };
}

/** Whether the cell at an index belongs to the same word, address or link as the one at `at`. */
function kindOf(cells: WholeLine["cells"], at: number): (index: number) => boolean {
  const link = cells[at]?.link;
  if (link !== undefined) return (index) => cells[index]?.link === link;
  const starts: number[] = [];
  let text = "";
  for (const cell of cells) {
    starts.push(text.length);
    text += cell.text;
  }
  const offset = starts[at] ?? 0;
  for (const { index, 0: address } of text.matchAll(ADDRESS)) {
    if (offset < index || offset >= index + address.length) continue;
    return (other) => (starts[other] ?? -1) >= index && (starts[other] ?? END) < index + address.length;
  }
  const isWord = (index: number) => WORD.test(cells[index]?.text ?? "");
  return (index) => isWord(at) && isWord(index);
}

function wholeLine(rowAt: (line: number) => Row | undefined, { x, line }: LinePoint): WholeLine {
  const { from, to } = lineAround(rowAt, line);
  const cells: (RowCell & { readonly line: number })[] = [];
  let at = -1;
  for (let each = from.line; each <= to.line; each += 1) {
    const row = rowAt(each) ?? EMPTY_ROW;
    const last = cells.at(-1);
    // The blanks that wrapping took part words.
    if (each > from.line && row.copy?.joined !== "" && last)
      cells.push({ text: " ", x: last.x, width: 0, line: each - 1 });
    for (const cell of cellsOf(row)) {
      if (cell.x < (row.copy?.margin ?? 0) && each > from.line) continue;
      cells.push({ ...cell, line: each });
      if (each === line && cell.x <= x) at = cells.length - 1;
    }
  }
  return { cells, at };
}

/** All rows of the line that a row belongs to. */
export function lineAround(rowAt: (line: number) => Row | undefined, line: number): CellRange {
  let [from, to] = [line, line];
  while (rowAt(from)?.copy?.joined !== undefined && rowAt(from - 1)) from -= 1;
  while (rowAt(to + 1)?.copy?.joined !== undefined) to += 1;
  return { from: { x: 0, line: from }, to: { x: END, line: to } };
}
