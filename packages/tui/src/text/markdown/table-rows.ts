import { PLAIN, type Row, type Span, style } from "../style.ts";
import { spansWidth, wrapSpans } from "../wrap.ts";

type Alignment = "center" | "left" | "right" | null;
export type TableCells = {
  header: readonly (readonly Span[])[];
  rows: readonly (readonly (readonly Span[])[])[];
  align: readonly Alignment[];
};

const LINE = style({ fg: "border" });
const SEPARATOR: Span = { text: " │ ", style: LINE };
const MIN_COLUMN = 3;

/** Column widths that fit: narrow columns keep theirs, wide ones share the rest. */
export function columnWidths(natural: readonly number[], room: number): number[] {
  const total = natural.reduce((sum, each) => sum + each, 0);
  if (total <= room) return [...natural];
  const widths = natural.map(() => 0);
  let left = room;
  let open = natural.map((_, index) => index);
  while (open.length > 0) {
    const share = Math.max(MIN_COLUMN, Math.floor(left / open.length));
    const small = open.filter((index) => (natural[index] ?? 0) <= share);
    if (small.length === 0) {
      for (const index of open) widths[index] = share;
      break;
    }
    for (const index of small) {
      widths[index] = natural[index] ?? 0;
      left -= natural[index] ?? 0;
    }
    open = open.filter((index) => !small.includes(index));
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

/** A table in at most `width` cells, provided that each column gets three; cells wrap within their column. */
export function tableRows({ header, rows, align }: TableCells, width: number): Row[] {
  const columns = Math.max(header.length, ...rows.map((cells) => cells.length));
  const all = [header, ...rows];
  const natural = Array.from({ length: columns }, (_, index) =>
    Math.max(1, ...all.map((cells) => spansWidth(cells[index] ?? []))),
  );
  const widths = columnWidths(natural, width - SEPARATOR.text.length * (columns - 1));
  const draw = (cells: readonly (readonly Span[])[]): Row[] => {
    const wrapped = widths.map((own, index) => wrapSpans(cells[index] ?? [], own));
    const height = Math.max(1, ...wrapped.map((lines) => lines.length));
    return Array.from({ length: height }, (_, y) => ({
      spans: wrapped.flatMap((lines, index) => [
        ...(index > 0 ? [SEPARATOR] : []),
        ...aligned(lines[y], widths[index] ?? 1, align[index] ?? null),
      ]),
    }));
  };
  const rule: Row = { spans: [{ text: widths.map((own) => "─".repeat(own)).join("─┼─"), style: LINE }] };
  return [...draw(header), rule, ...rows.flatMap(draw)];
}
