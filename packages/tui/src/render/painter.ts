import type { ColourLevel } from "../text/colour-level.ts";
import { EMPTY_ROW, type Row } from "../text/style.ts";
import type { Theme } from "../theme/theme.ts";
import { blankCellRow, blankFrom, type CellRow, clearCells, fillCells, Glyphs } from "./cell-row.ts";
import { findScroll } from "./find-scroll.ts";
import type { Cursor, Frame } from "./frame.ts";
import {
  drawPicture,
  isSamePlace,
  type PlacedPicture,
  PlainLines,
  placedPictures,
} from "./pictures/placed-pictures.ts";
import { ScreenWriter, StyleSequences } from "./screen-writer.ts";

export type PainterOptions = { columns: number; rows: number; theme: Theme; colours: ColourLevel };

/** Up to this many unchanged cells between two changes are cheaper to rewrite than to skip. */
const MAX_GAP = 4;
/** Up to this many blanks at the end of a row are cheaper to write than to erase. */
const MAX_BLANKS = 3;

/**
 * Tracks what is on the screen and computes the few bytes that turn it into the next frame. Pure: the bytes are
 * returned as a string. The terminal must be in the alternate screen with wrapping off.
 */
export class Painter {
  readonly #columns: number;
  readonly #writer: ScreenWriter;
  readonly #glyphs = new Glyphs();
  #grid: CellRow[];
  #scratch: CellRow;
  #rows: Row[];
  #pictures: readonly PlacedPicture[] = [];
  readonly #plainLines = new PlainLines();
  /** Nothing is known about the screen. */
  #unknown = true;
  #cursor: Cursor | undefined;
  #cursorShown: boolean | undefined;

  constructor({ columns, rows, theme, colours }: PainterOptions) {
    this.#columns = columns;
    this.#writer = new ScreenWriter(new StyleSequences(theme, colours), this.#glyphs, columns);
    this.#grid = Array.from({ length: rows }, () => blankCellRow(columns));
    this.#scratch = blankCellRow(columns);
    this.#rows = Array.from({ length: rows }, () => EMPTY_ROW);
  }

  /** Makes the next frame write every cell. */
  invalidate(): void {
    this.#unknown = true;
  }

  /** Bytes for the terminal; "" if it already shows this frame. */
  paint(frame: Frame): string {
    const writer = this.#writer;
    const all = this.#rows.map((_, y) => frame.rows[y] ?? EMPTY_ROW);
    const cursor = this.#clamp(frame.cursor);
    const pictures = placedPictures(all);
    const rows = this.#plainLines.in(all, pictures);
    const cleared = this.#clearedBy(pictures);
    if (this.#unknown) writer.forget();
    // Terminals differ in whether images move with their rows.
    else if (pictures.length + this.#pictures.length === 0) this.#scroll(rows);
    for (const [y, row] of rows.entries()) {
      if (this.#unknown || row !== this.#rows[y] || cleared.has(y)) this.#paintRow(y, row, cleared.has(y));
    }
    this.#rows = rows;
    const drawing = this.#drawing(pictures, cleared);
    const strayed = writer.strayed || drawing !== "";
    if (writer.isEmpty && drawing === "" && this.#cursorStays(cursor)) return "";
    writer.setStyle(0);
    const body = writer.take();
    if (cursor) writer.moveTo(cursor.x, cursor.y);
    const place = writer.take();
    const [before, after] = this.#blink(cursor, strayed);
    this.#cursor = cursor;
    this.#unknown = false;
    return `\u001b[?2026h${before}${body}${drawing}${place}${after}\u001b[?2026l`;
  }

  /** The rows an image disappears from: writing their cells removes it. */
  #clearedBy(pictures: readonly PlacedPicture[]): Set<number> {
    const gone = this.#pictures.filter((old) => !pictures.some((each) => isSamePlace(each, old)));
    return new Set(gone.flatMap(({ picture, y }) => Array.from({ length: picture.rows }, (_, at) => y + at)));
  }

  /** The bytes of images that are new or were partly overwritten. */
  #drawing(pictures: readonly PlacedPicture[], cleared: ReadonlySet<number>): string {
    const before = this.#pictures;
    this.#pictures = pictures;
    return pictures
      .filter((each) => {
        const { picture, y } = each;
        const isHurt = Array.from({ length: picture.rows }, (_, at) => y + at).some((row) => cleared.has(row));
        return this.#unknown || isHurt || !before.some((old) => isSamePlace(old, each));
      })
      .map(drawPicture)
      .join("");
  }

  #clamp(cursor: Cursor | undefined): Cursor | undefined {
    if (!cursor) return undefined;
    const inside = (value: number, size: number): number => Math.max(0, Math.min(size - 1, value));
    return { x: inside(cursor.x, this.#columns), y: inside(cursor.y, this.#rows.length) };
  }

  #cursorStays(cursor: Cursor | undefined): boolean {
    if ((cursor !== undefined) !== this.#cursorShown) return false;
    return cursor?.x === this.#cursor?.x && cursor?.y === this.#cursor?.y;
  }

  /** The bytes before and after the cells that keep the cursor from visibly jumping about. */
  #blink(cursor: Cursor | undefined, strayed: boolean): [before: string, after: string] {
    const wasShown = this.#cursorShown ?? true;
    const shown = cursor !== undefined;
    this.#cursorShown = shown;
    const hide = wasShown && (!shown || strayed);
    return [hide ? "\u001b[?25l" : "", shown && (hide || !wasShown) ? "\u001b[?25h" : ""];
  }

  /** Lets the terminal move a block of rows that only changed position. */
  #scroll(rows: readonly Row[]): void {
    const scroll = findScroll(this.#rows, rows);
    if (!scroll) return;
    const { top, bottom, by } = scroll;
    this.#writer.scroll(top, bottom, by);
    const count = Math.abs(by);
    const [leaving, entering] = by > 0 ? [top, bottom - count + 1] : [bottom - count + 1, top];
    const cells = this.#grid.splice(leaving, count);
    for (const each of cells) clearCells(each, 0);
    this.#grid.splice(entering, 0, ...cells);
    this.#rows.splice(leaving, count);
    this.#rows.splice(entering, 0, ...cells.map(() => EMPTY_ROW));
  }

  #paintRow(y: number, row: Row, isCleared: boolean): void {
    const next = this.#scratch;
    fillCells(next, row, this.#glyphs);
    const before = this.#grid[y] as CellRow;
    this.#writeChanges(y, before, next, isCleared || this.#unknown);
    this.#grid[y] = next;
    this.#scratch = before;
  }

  #writeChanges(y: number, before: CellRow, next: CellRow, isUnknown: boolean): void {
    const columns = this.#columns;
    const changed = (x: number): boolean =>
      isUnknown ||
      before.glyphs[x] !== next.glyphs[x] ||
      before.styles[x] !== next.styles[x] ||
      before.widths[x] !== next.widths[x];
    let first = 0;
    while (first < columns && !changed(first)) first += 1;
    if (first === columns) return;
    // Some terminals draw such a cluster over its neighbours, which must be rewritten after it.
    const spreads = this.#glyphs.spread(next, first);
    const differs = spreads ? (x: number): boolean => x >= first : changed;
    const blank = blankFrom(next);
    let end = columns;
    while (!differs(end - 1)) end -= 1;
    const erases = isUnknown || spreads || end - blank > MAX_BLANKS;
    const written = erases ? Math.min(end, blank) : end;
    for (let x = first; x < written; ) {
      x = differs(x) ? this.#writeRun(y, x, written, next, differs) : x + 1;
    }
    if (erases && blank < columns) {
      this.#writer.moveTo(Math.max(blank, first), y);
      this.#writer.eraseRest();
    }
  }

  /**
   * Writes from a changed cell up to the next long enough unchanged run; returns the column after the last one written.
   */
  #writeRun(y: number, from: number, limit: number, next: CellRow, differs: (x: number) => boolean): number {
    let end = from + 1;
    for (let gap = 0, x = end; x < limit && gap <= MAX_GAP; x++) {
      gap = differs(x) ? 0 : gap + 1;
      if (gap === 0) end = x + 1;
    }
    // If only the right half changed, its left half is drawn.
    let x = next.widths[from] === 0 ? from - 1 : from;
    for (; x < end; x++) {
      const width = next.widths[x] ?? 1;
      if (width === 0) continue;
      this.#writer.moveTo(x, y);
      this.#writer.put(next.glyphs[x] ?? 0, next.styles[x] ?? 0, width);
    }
    return end;
  }
}
