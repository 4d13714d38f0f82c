import { END_OF_ISOLATE, RIGHT_TO_LEFT } from "../text/isolates.ts";
import type { Row } from "../text/style.ts";
import { eachGrapheme, isAscii } from "../text/width.ts";

/**
 * One row of the screen as cells. A glyph is a code point, or beyond those the number of a cluster. Width 2 is the left
 * half of a wide character, 0 its right half.
 */
export type CellRow = { readonly glyphs: Uint32Array; readonly styles: Uint16Array; readonly widths: Uint8Array };

const FIRST_CLUSTER = 0x110000;
const BLANK = 0x20;
const REPLACEMENT = 0xfffd;
/** Ordinary text has few clusters. Past this many, new ones are drawn as their first code point. */
const MAX_CLUSTERS = 50_000;

export function blankCellRow(columns: number): CellRow {
  const row = {
    glyphs: new Uint32Array(columns),
    styles: new Uint16Array(columns),
    widths: new Uint8Array(columns),
  };
  clearCells(row, 0);
  return row;
}

/** Plain blank cells from a column on. */
export function clearCells({ glyphs, styles, widths }: CellRow, from: number): void {
  glyphs.fill(BLANK, from);
  styles.fill(0, from);
  widths.fill(1, from);
}

/**
 * The last line of defence: makers of rows have cleaned their texts, but no control character may reach the terminal.
 */
function isControl(point: number): boolean {
  return point < 0x20 || (point >= 0x7f && point < 0xa0) || (point >= 0xd800 && point < 0xe000);
}

function hasControl(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true;
  }
  return false;
}

const EMOJI = /\p{Emoji_Presentation}/u;
/** Variation selectors are excluded: they are marks too, but turn a symbol into an emoji. */
const BASE_WITH_MARKS = /^\P{M}(?:(?![\ufe00-\ufe0f])\p{Mn})+$/u;

/** The glyphs of a screen: numbers for clusters, and what is known about each. */
export class Glyphs {
  readonly #ids = new Map<string, number>();
  readonly #clusters: string[] = [];
  readonly #unsure = new Map<number, boolean>();

  of(grapheme: string): number {
    const point = grapheme.codePointAt(0) ?? BLANK;
    if (grapheme.length === (point > 0xffff ? 2 : 1)) return isControl(point) ? REPLACEMENT : point;
    const known = this.#ids.get(grapheme);
    if (known !== undefined) return known;
    if (this.#clusters.length >= MAX_CLUSTERS || hasControl(grapheme)) return isControl(point) ? REPLACEMENT : point;
    const id = FIRST_CLUSTER + this.#clusters.length;
    this.#clusters.push(grapheme);
    this.#ids.set(grapheme, id);
    return id;
  }

  text(glyph: number): string {
    return glyph < FIRST_CLUSTER ? String.fromCodePoint(glyph) : (this.#clusters[glyph - FIRST_CLUSTER] ?? "\ufffd");
  }

  /**
   * True if terminals disagree on the cells a glyph takes: emoji, and clusters other than a letter with marks. After
   * such a glyph the position of the cursor is unknown.
   */
  isUnsure(glyph: number): boolean {
    if (glyph < 0x2000 || (glyph >= 0x2e80 && glyph < 0xfe00)) return false;
    const known = this.#unsure.get(glyph);
    if (known !== undefined) return known;
    const text = this.text(glyph);
    const unsure = glyph >= FIRST_CLUSTER ? !BASE_WITH_MARKS.test(text) : EMOJI.test(text) || glyph >= 0x1f000;
    this.#unsure.set(glyph, unsure);
    return unsure;
  }

  /** True if, from a column on, there is a cluster that some terminals draw in more cells than it has here. */
  spread({ glyphs }: CellRow, from: number): boolean {
    return glyphs.subarray(from).some((glyph) => glyph >= FIRST_CLUSTER && this.isUnsure(glyph));
  }
}

/**
 * Draws a row of spans into cells; what does not fit is cut, and half of a wide character at the edge becomes a blank.
 */
export function fillCells(target: CellRow, { spans }: Row, known: Glyphs): void {
  const { glyphs, styles, widths } = target;
  const columns = glyphs.length;
  let x = 0;
  for (const { text, style } of spans) {
    if (x >= columns) break;
    if (isAscii(text)) {
      const end = Math.min(columns, x + text.length);
      for (let index = 0; x < end; index++, x++) {
        glyphs[x] = text.charCodeAt(index);
        styles[x] = style.id;
        widths[x] = 1;
      }
      continue;
    }
    let before = "";
    eachGrapheme(text, (grapheme, own) => {
      // Isolates are written with the character beside them.
      if (grapheme === RIGHT_TO_LEFT) before = grapheme;
      else if (grapheme === END_OF_ISOLATE && x > 0) {
        const last = widths[x - 1] === 0 ? x - 2 : x - 1;
        glyphs[last] = known.of(known.text(glyphs[last] ?? BLANK) + grapheme);
      }
      if (grapheme === RIGHT_TO_LEFT || grapheme === END_OF_ISOLATE) return;
      // A control character has no width, but must not disappear silently.
      const width = own === 0 && isControl(grapheme.codePointAt(0) ?? 0) ? 1 : own;
      if (width === 0 || x >= columns) return;
      const fits = x + width <= columns;
      glyphs[x] = fits ? known.of(before + grapheme) : BLANK;
      before = "";
      styles[x] = style.id;
      widths[x] = fits ? width : 1;
      if (fits && width === 2) {
        glyphs[x + 1] = BLANK;
        styles[x + 1] = style.id;
        widths[x + 1] = 0;
      }
      x += width;
    });
  }
  if (x < columns) clearCells(target, x);
}

/** The column from which on all cells are plain blanks. */
export function blankFrom({ glyphs, styles, widths }: CellRow): number {
  let x = glyphs.length;
  while (x > 0 && glyphs[x - 1] === BLANK && styles[x - 1] === 0 && widths[x - 1] === 1) x -= 1;
  return x;
}
