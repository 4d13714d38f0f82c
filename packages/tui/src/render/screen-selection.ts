import { EMPTY_ROW, overlay, type Row, row, type Span, span, style, textOfRow } from "../text/style.ts";
import { eachGrapheme } from "../text/width.ts";
import { type CellRange, type LinePoint, lineAround, overlaps, wordAround, writtenText } from "./copied-text.ts";

/** A cell of the screen, 0-based. */
export type CellPosition = { readonly x: number; readonly y: number };

const MARKED = style({ inverse: true });

/** The rows of a frame that scroll: from `top` up to but excluding `end`. */
export type ScrollArea = { readonly top: number; readonly end: number };

/**
 * The user's selection on the screen. It stays on its text while that scrolls, even out of view: rows are recognised by
 * identity.
 */
export class ScreenSelection {
  #anchor: LinePoint | undefined;
  #head: LinePoint | undefined;
  #isEmpty = true;
  /** The last frame, and the distance of its first row from the one that was on top when the selection began. */
  #rows: readonly Row[] = [];
  #area: ScrollArea = { top: 0, end: 0 };
  /** The selection began in the rows that scroll, and stays within them. */
  #isInArea = false;
  #scrolled = 0;
  /** Rows of all frames since the selection began, by line. */
  readonly #lines = new Map<number, Row>();

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Begins at a cell; nothing is marked yet. */
  begin(cell: CellPosition): void {
    this.clear();
    this.#isInArea = isWithin(cell.y, this.#area);
    this.#keepRows();
    this.#anchor = this.#place(cell);
    this.#head = this.#anchor;
  }

  /** Marks from the start to this cell, inclusive. */
  extend(cell: CellPosition): void {
    const place = this.#place(this.#isInArea ? { x: cell.x, y: Math.min(cell.y, this.#area.end - 1) } : cell);
    const anchor = this.#anchor;
    // A slight tremor of the hand marks nothing.
    if (!anchor || (this.#isEmpty && anchor.x === place.x && anchor.line === place.line)) return;
    this.#head = place;
    this.#isEmpty = false;
  }

  /** Marks the word, link or address at a cell, over all rows that it takes, or the blank. */
  markWord(cell: CellPosition): void {
    this.#mark(cell.y, (line) => wordAround(this.#rowAt, { x: cell.x, line }));
  }

  /** Marks a line, over all rows that it takes. */
  markRow(y: number): void {
    this.#mark(y, (line) => lineAround(this.#rowAt, line));
  }

  #mark(y: number, around: (line: number) => CellRange): void {
    this.begin({ x: 0, y });
    const { from, to } = around(y + this.#scrolled);
    this.#anchor = from;
    this.#head = to;
    this.#isEmpty = false;
  }

  readonly #rowAt = (line: number): Row | undefined => this.#lines.get(line);

  clear(): void {
    this.#anchor = undefined;
    this.#head = undefined;
    this.#isEmpty = true;
    this.#lines.clear();
    this.#scrolled = 0;
  }

  /** The next frame's rows, with the selection in inverse. Rows without marks are the same objects. */
  drawn(rows: readonly Row[], area: ScrollArea): readonly Row[] {
    if (this.#anchor) this.#follow(rows, area);
    this.#rows = rows;
    this.#area = area;
    const ends = this.#ends();
    if (!ends) return rows;
    this.#keepRows();
    const { from, to } = ends;
    return rows.map((each, y) => {
      const line = y + this.#scrolled;
      if (line < from.line || line > to.line || !this.#mayMark(y)) return each;
      return inverseCells(each, line === from.line ? from.x : 0, line === to.line ? to.x : Number.MAX_SAFE_INTEGER);
    });
  }

  /** The selected text as it was written, without the window's line breaks and margins. */
  text(): string {
    const ends = this.#ends();
    return ends ? writtenText(this.#rowAt, ends) : "";
  }

  /** In reading order; both cells are marked. */
  #ends(): CellRange | undefined {
    const [anchor, head] = [this.#anchor, this.#head];
    if (!anchor || !head || this.#isEmpty) return undefined;
    const forward = head.line > anchor.line || (head.line === anchor.line && head.x >= anchor.x);
    return forward ? { from: anchor, to: head } : { from: head, to: anchor };
  }

  /** If none of the old rows is found again, it is another text, or has moved too far. */
  #follow(rows: readonly Row[], area: ScrollArea): void {
    const inArea = (each: readonly Row[], of: ScrollArea) => each.map((one, y) => (isWithin(y, of) ? one : EMPTY_ROW));
    const shift = shiftOf(inArea(this.#rows, this.#area), inArea(rows, area));
    if (shift !== undefined) this.#scrolled += shift;
    else if (area.end > area.top) this.clear();
  }

  #place({ x, y }: CellPosition): LinePoint {
    return { x, line: y + this.#scrolled };
  }

  #keepRows(): void {
    for (const [y, each] of this.#rows.entries()) if (this.#mayMark(y)) this.#lines.set(y + this.#scrolled, each);
  }

  #mayMark(y: number): boolean {
    return !this.#isInArea || isWithin(y, this.#area);
  }
}

function isWithin(y: number, { top, end }: ScrollArea): boolean {
  return y >= top && y < end;
}

/**
 * How many rows the text has moved up (down if negative), by a majority of the rows found again; undefined if none is.
 */
function shiftOf(before: readonly Row[], after: readonly Row[]): number | undefined {
  const places = new Map(before.map((each, y) => [each, y]));
  const votes = new Map<number, number>();
  for (const [y, each] of after.entries()) {
    const was = each.spans.length === 0 ? undefined : places.get(each);
    if (was !== undefined) votes.set(was - y, (votes.get(was - y) ?? 0) + 1);
  }
  const [most] = [...votes].sort((a, b) => b[1] - a[1] || Math.abs(a[0]) - Math.abs(b[0]));
  return most?.[0];
}

/** A row with its cells from `first` to `last` in inverse; blanks after its text are not marked. */
export function inverseCells(plain: Row, first: number, last: number): Row {
  const spans: Span[] = [];
  let x = 0;
  for (const { text, style: look } of plain.spans) {
    const parts = ["", "", ""];
    eachGrapheme(text, (grapheme, width) => {
      const cell = { text: grapheme, x, width };
      const part = overlaps(cell, first, last) ? 1 : x > last ? 2 : 0;
      parts[part] += grapheme;
      x += width;
    });
    for (const [index, part] of parts.entries())
      if (part !== "") spans.push(span(part, index === 1 ? overlay(look, MARKED) : look));
  }
  return textOfRow(plain).trim() === "" ? plain : row(...spans);
}
