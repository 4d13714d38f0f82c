import { PLAIN, type Row, type Span, style, textOfRow } from "../style.ts";
import { prefixRow, spansWidth, wrapSpans } from "../wrap.ts";

type Alignment = "center" | "left" | "right" | null;
type Cell = readonly Span[];
export type TableCells = {
  header: readonly Cell[];
  rows: readonly (readonly Cell[])[];
  align: readonly Alignment[];
};

const LINE = style({ fg: "border" });
const SEPARATOR: Span = { text: " │ ", style: LINE };
const INDENT: Span = { text: "  ", style: PLAIN };
/** A longer word may be divided, as it is in prose. */
const MAX_WORD = 24;
const MAX_RULE = 24;

/** Column widths that fit: narrow columns keep theirs, wide ones share the rest. Undefined: words would be divided. */
export function columnWidths(natural: readonly number[], words: readonly number[], room: number): number[] | undefined {
  const widths = natural.map((own, index) => Math.min(own, words[index] ?? own));
  let left = room - widths.reduce((sum, each) => sum + each, 0);
  if (left < 0) return undefined;
  let open = natural.flatMap((own, index) => (own > (widths[index] ?? 0) ? [index] : []));
  while (open.length > 0 && left > 0) {
    // The narrowest grow first, so that many columns need no second row.
    const least = Math.min(...open.map((index) => widths[index] ?? 0));
    const lowest = open.filter((index) => widths[index] === least);
    for (const index of lowest.slice(0, left)) widths[index] = least + 1;
    left -= Math.min(left, lowest.length);
    open = open.filter((index) => (natural[index] ?? 0) > (widths[index] ?? 0));
  }
  return widths;
}

function aligned(row: Row | undefined, width: number, align: Alignment): Span[] {
  const spans = row?.spans ?? [];
  const missing = Math.max(0, width - spansWidth(spans));
  const before = align === "right" ? missing : align === "center" ? Math.floor(missing / 2) : 0;
  const blank = (count: number): Span[] => (count > 0 ? [{ text: " ".repeat(count), style: PLAIN }] : []);
  return [...blank(before), ...spans, ...blank(missing - before)];
}

/** A table in at most `width` cells; where its columns do not fit, each row is a list of names and values. */
export function tableRows({ header, rows, align }: TableCells, width: number): Row[] {
  const columns = Math.max(header.length, ...rows.map((cells) => cells.length));
  const all = [header, ...rows];
  const widest = (measure: (cell: Cell) => number) =>
    Array.from({ length: columns }, (_, index) => Math.max(1, ...all.map((cells) => measure(cells[index] ?? []))));
  const room = width - SEPARATOR.text.length * (columns - 1);
  const widths = columnWidths(widest(spansWidth), widest(longestWord), room);
  if (!widths) return recordRows({ header, rows }, width);
  const draw = (cells: readonly Cell[]): Row[] => drawnRow(cells, widths, align);
  const rule: Row = { spans: [{ text: widths.map((own) => "─".repeat(own)).join("─┼─"), style: LINE }] };
  const drawn = rows.map(draw);
  const isWrapped = drawn.some((lines) => lines.length > 1);
  const gap: Row = { spans: [{ text: widths.map((own) => " ".repeat(own)).join(SEPARATOR.text), style: LINE }] };
  const body = drawn.flatMap((lines, index) => (isWrapped && index > 0 ? [gap, ...lines] : lines));
  return [...draw(header), rule, ...body];
}

/** One row of a table, in as many rows as its longest cell needs. */
function drawnRow(cells: readonly Cell[], widths: readonly number[], align: readonly Alignment[]): Row[] {
  const wrapped = widths.map((own, index) => wrapSpans(cells[index] ?? [], own));
  const height = Math.max(1, ...wrapped.map((lines) => lines.length));
  const lines = Array.from({ length: height }, (_, y) => ({
    spans: wrapped.flatMap((own, index) => [
      ...(index > 0 ? [SEPARATOR] : []),
      ...aligned(own[y], widths[index] ?? 1, align[index] ?? null),
    ]),
  }));
  if (height === 1) return lines;
  const text = widths.map((_, index) => textOfRow({ spans: cells[index] ?? [] })).join(SEPARATOR.text);
  return lines.map((line, y) => (y === 0 ? { ...line, copy: { margin: 0, whole: { text, rows: height } } } : line));
}

/** `name: value` for each cell, and a short rule between two rows. */
function recordRows({ header, rows }: Pick<TableCells, "header" | "rows">, width: number): Row[] {
  const rule: Row = { spans: [{ text: "─".repeat(Math.min(width, MAX_RULE)), style: LINE }] };
  const lines = (spans: Cell): Row[] =>
    wrapSpans(spans, Math.max(1, width - INDENT.text.length)).map((row, at) =>
      at === 0 ? row : prefixRow(row, [INDENT]),
    );
  if (rows.length === 0) return header.flatMap(lines);
  return rows.flatMap((cells, at) => [
    ...(at > 0 ? [rule] : []),
    ...Array.from({ length: Math.max(header.length, cells.length) }, (_, index) => {
      const name = header[index] ?? [];
      const value = cells[index] ?? [];
      const separator: Span = { text: spansWidth(name) > 0 ? ": " : "", style: style({ bold: true }) };
      return lines([...name, separator, ...value]);
    }).flat(),
  ]);
}

function longestWord(cell: Cell): number {
  const words = textOfRow({ spans: cell }).split(/\s+/);
  return Math.min(MAX_WORD, Math.max(1, ...words.map((word) => spansWidth([{ text: word, style: PLAIN }]))));
}
