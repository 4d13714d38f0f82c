import type { Row, RowCopy, Span, Style } from "./style.ts";
import { eachGrapheme, isAscii, stringWidth } from "./width.ts";

/**
 * `word`: rows end at blanks, and blanks at the break vanish. `hard`: rows are full, so that columns stay aligned.
 * `exact`: rows end after a single blank in their second half, else they are full; every character stays, and a row
 * whose last column is empty has its blank there.
 */
export type WrapMode = "word" | "hard" | "exact";

type Cells = { texts: string[]; widths: number[]; styles: Style[] };

function cellsOf(spans: readonly Span[]): Cells {
  const cells: Cells = { texts: [], widths: [], styles: [] };
  for (const { text, style } of spans) {
    eachGrapheme(text, (grapheme, width) => {
      if (width === 0) return;
      cells.texts.push(grapheme);
      cells.widths.push(width);
      cells.styles.push(style);
    });
  }
  return cells;
}

function slice({ texts, styles }: Cells, from: number, to: number): Row {
  const spans: Span[] = [];
  let text = "";
  for (let index = from; index < to; index++) {
    text += texts[index];
    if (index + 1 === to || styles[index + 1] !== styles[index]) {
      spans.push({ text, style: styles[index] as Style });
      text = "";
    }
  }
  return { spans };
}

/** Where a row that starts at `from` ends, and where the next one starts. */
function breakRow(
  { texts, widths }: Cells,
  from: number,
  width: number,
  mode: WrapMode,
): { end: number; next: number } {
  let used = 0;
  let border = from;
  for (let at = from; at < texts.length; at++) {
    const own = widths[at] ?? 1;
    if (used + own > width && at > from) {
      if (mode === "hard") return { end: at, next: at };
      if (mode === "exact") {
        const end = singleBlankBefore(texts, from + ((at - from) >> 1), at) ?? at;
        return { end, next: end };
      }
      if (texts[at] === " ") return { end: trimEnd(texts, from, at), next: skipBlanks(texts, at) };
      return border > from ? { end: trimEnd(texts, from, border), next: border } : { end: at, next: at };
    }
    used += own;
    const next = widths[at + 1] ?? 1;
    if (texts[at] === " " || (own === 2 && next === 2)) border = at + 1;
  }
  return { end: texts.length, next: texts.length };
}

/** The index after the last blank between two others that ends a row; undefined: there is none from `least` on. */
function singleBlankBefore(texts: readonly string[], least: number, at: number): number | undefined {
  for (let end = at; end > least; end -= 1)
    if (texts[end - 1] === " " && texts[end - 2] !== " " && texts[end] !== " ") return end;
  return undefined;
}

function trimEnd(texts: readonly string[], from: number, to: number): number {
  let end = to;
  while (end > from && texts[end - 1] === " ") end -= 1;
  return end;
}

function skipBlanks(texts: readonly string[], from: number): number {
  let at = from;
  while (texts[at] === " ") at += 1;
  return at;
}

/** The width of a line of spans in cells. */
export function spansWidth(spans: readonly Span[]): number {
  let width = 0;
  for (const { text } of spans) width += stringWidth(text);
  return width;
}

/**
 * Wraps one line (without newlines and tabs) into rows of at most `width` cells. A wide character is never split; one
 * that is wider than the whole width gets a row of its own. An empty line is one empty row.
 */
export function wrapSpans(spans: readonly Span[], width: number, mode: WrapMode = "word"): Row[] {
  if (spansWidth(spans) <= width) return [{ spans }];
  const columns = Math.max(1, width);
  const [only] = spans;
  if (mode === "hard" && only && spans.length === 1 && isAscii(only.text)) return cutSpan(only, columns);
  const cells = cellsOf(spans);
  const rows: Row[] = [];
  let ended = 0;
  for (let from = 0; from < cells.texts.length; ) {
    const { end, next } = breakRow(cells, from, columns, mode);
    const made = slice(cells, from, end);
    rows.push(from === 0 ? made : { ...made, copy: continued(cells.texts.slice(ended, from).join("")) });
    [ended, from] = [end, next];
  }
  return rows;
}

const CONTINUED: RowCopy = { margin: 0, joined: "" };
const AFTER_BLANK: RowCopy = { margin: 0, joined: " " };

/** A row that continues the one above after blanks that are not shown. */
function continued(joined: string): RowCopy {
  return joined === "" ? CONTINUED : joined === " " ? AFTER_BLANK : { margin: 0, joined };
}

/**
 * A line that consists of a name, two or more blanks, and words: words that do not fit continue below the first of
 * them. Other lines, and those whose name takes more than a third of the width, are wrapped as a whole, with `indent`
 * blanks before their further rows.
 */
export function wrapColumns({ text, style }: Span, width: number, indent = 0): Row[] {
  const gap = /\S {2,}(?=\S)/.exec(text);
  const at = gap ? gap.index + gap[0].length : 0;
  const left = stringWidth(text.slice(0, at));
  const isColumns = at > 0 && left * 3 <= width;
  const [name, words, below] = isColumns ? [text.slice(0, at), text.slice(at), left] : ["", text, indent];
  const rows = wrapSpans([{ text: words, style }], width - below);
  return prefixRows(
    rows,
    name === "" ? [] : [{ text: name, style }],
    below === 0 ? [] : [{ text: " ".repeat(below), style }],
  );
}

function cutSpan({ text, style }: Span, width: number): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < text.length; at += width)
    rows.push({ spans: [{ text: text.slice(at, at + width), style }], ...(at > 0 && { copy: CONTINUED }) });
  return rows;
}

/** Puts spans before each row: `first` before the first one, `rest` before the others. Both must be equally wide. */
export function prefixRows(rows: readonly Row[], first: readonly Span[], rest: readonly Span[]): Row[] {
  return rows.map((row, index) => prefixRow(row, index === 0 ? first : rest));
}

/** Blanks, and the bars beside quotes and messages. */
const MARGIN = /^[\s▎▌┊│]*$/;

/** A row after a prefix, which is not copied if it is a margin, or stands before the rest of a wrapped line. */
export function prefixRow(row: Row, prefix: readonly Span[]): Row {
  const { copy } = row;
  const isMargin = copy?.joined !== undefined || prefix.every(({ text }) => MARGIN.test(text));
  const margin = isMargin ? spansWidth(prefix) + (copy?.margin ?? 0) : 0;
  const spans = [...prefix, ...row.spans];
  const by = spansWidth(prefix);
  const sides = copy?.sides?.map((side) => ({ ...side, from: side.from + by, to: side.to + by }));
  return copy || margin > 0 ? { ...row, spans, copy: { ...copy, margin, ...(sides && { sides }) } } : { ...row, spans };
}
