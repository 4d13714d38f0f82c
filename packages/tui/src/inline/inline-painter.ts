import { blankCellRow, blankFrom, type CellRow, fillCells, Glyphs } from "../render/cell-row.ts";
import type { Cursor, Frame } from "../render/frame.ts";
import type { PainterOptions } from "../render/painter.ts";
import { StyleSequences } from "../render/screen-writer.ts";
import type { Row } from "../text/index.ts";

const ESC = "\u001b[";
/** Erases from the cursor to the end of the screen. */
const ERASE_BELOW = `${ESC}J`;

/**
 * How a terminal treats rows that no longer fit when it becomes narrower: it cuts or wraps them. `shifting`: in
 * xterm.js, which VS Code uses, rows that wrap below the cursor also move it down.
 */
type Reflow = "none" | "rows" | "shifting";

/** A row as shown on the screen: its bytes, and its width in columns. */
type ShownRow = { row: Row; text: string; width: number };

/**
 * The rows of an inline window on the screen, from first to last. They are only reached by relative moves, because
 * their position on the screen is unknown.
 */
export class InlineRegion {
  rows: readonly ShownRow[] = [];
  /** The cursor within the rows. */
  cursor: Cursor = { x: 0, y: 0 };
  readonly #reflow: Reflow;

  constructor({ reflow }: { reflow: Reflow }) {
    this.#reflow = reflow;
  }

  /** The bytes that lead to the first row, in a terminal that now has this many columns. */
  toTop(columns: number): string {
    if (this.#reflow === "none") return `\r${up(this.cursor.y)}`;
    const height = (rows: readonly ShownRow[]): number =>
      rows.reduce((sum, { width }) => sum + Math.max(1, Math.ceil(width / columns)), 0);
    const above = height(this.rows.slice(0, this.cursor.y));
    const within = Math.floor(Math.max(0, this.cursor.x) / columns);
    const below = this.rows.slice(this.cursor.y + 1);
    const shift = this.#reflow === "shifting" ? height(below) - below.length : 0;
    return `\r${up(above + within + shift)}`;
  }

  /** Removes the rows from the screen; what was printed above them stays. */
  erase(columns = Number.MAX_SAFE_INTEGER): string {
    if (this.rows.length === 0) return "";
    const bytes = this.toTop(columns) + ERASE_BELOW;
    this.rows = [];
    this.cursor = { x: 0, y: 0 };
    return bytes;
  }
}

/**
 * Paints an inline window: finished rows are printed once and belong to the terminal from then on, its own rows follow
 * and are rewritten in place.
 */
export class InlinePainter {
  readonly #region: InlineRegion;
  readonly #columns: number;
  readonly #height: number;
  readonly #styles: StyleSequences;
  readonly #glyphs = new Glyphs();
  readonly #cells: CellRow;
  /** True if the screen was drawn in a different size or different colours, or another program has written to it. */
  #isStale = true;
  #isCursorShown: boolean | undefined;

  constructor({ columns, rows, theme, colours }: PainterOptions, region: InlineRegion) {
    this.#region = region;
    this.#columns = columns;
    this.#height = rows;
    this.#styles = new StyleSequences(theme, colours);
    this.#cells = blankCellRow(columns);
  }

  invalidate(): void {
    this.#isStale = true;
  }

  paint({ rows: all, cursor: wanted, above = [] }: Frame): string {
    // Rows that scroll off the top of the screen could not be taken back.
    const cut = Math.max(0, all.length - this.#height);
    const rows = all.slice(cut).map((row, at) => this.#shown(row, this.#region.rows[at]));
    const cursor = wanted && { x: Math.min(wanted.x, this.#columns - 1), y: Math.max(0, wanted.y - cut) };
    const before = this.#region.rows;
    const isWhole = this.#isStale || above.length > 0 || rows.length < before.length;
    const body = isWhole ? this.#whole(rows, above) : this.#changes(rows);
    const last = this.#region.cursor;
    const place = cursor ?? { x: 0, y: Math.max(0, rows.length - 1) };
    this.#region.rows = rows;
    this.#isStale = false;
    const isShown = cursor !== undefined;
    if (body === "" && isShown === this.#isCursorShown && last.x === place.x && last.y === place.y) return "";
    const moves = this.#moveTo(place);
    const visibility = isShown === this.#isCursorShown ? "" : `${ESC}?25${isShown ? "h" : "l"}`;
    this.#isCursorShown = isShown;
    return `${ESC}?2026h${body}${moves}${visibility}${ESC}?2026l`;
  }

  /** Everything from the first row on: the finished rows replace the window, which follows them. */
  #whole(rows: readonly ShownRow[], above: readonly Row[]): string {
    const top = this.#region.toTop(this.#columns) + ERASE_BELOW;
    const printed = above.map((row) => `${this.#textOf(row).text}\r\n`).join("");
    this.#region.cursor = { x: rows.at(-1)?.width ?? 0, y: Math.max(0, rows.length - 1) };
    return top + printed + rows.map(({ text }) => text).join("\r\n");
  }

  /** The changed rows, and new ones at the end. */
  #changes(rows: readonly ShownRow[]): string {
    let out = "";
    for (const [y, { text, width }] of rows.entries()) {
      const before = this.#region.rows[y];
      if (before?.text === text) continue;
      // A row below the last is created by a line feed, which scrolls if necessary.
      const isNew = before === undefined;
      const from = this.#region.cursor;
      out += isNew && y > 0 ? `${this.#step(from, { x: 0, y: y - 1 })}\r\n` : this.#step(from, { x: 0, y });
      out += `\r${ESC}K${text}`;
      this.#region.cursor = { x: width, y };
    }
    return out;
  }

  #moveTo(place: Cursor): string {
    const bytes = this.#step(this.#region.cursor, place);
    this.#region.cursor = place;
    return `${bytes}${place.x === 0 ? "\r" : `${ESC}${place.x + 1}G`}`;
  }

  #step(from: Cursor, to: Cursor): string {
    return to.y < from.y ? up(from.y - to.y) : down(to.y - from.y);
  }

  #shown(row: Row, before: ShownRow | undefined): ShownRow {
    return before?.row === row && !this.#isStale ? before : this.#textOf(row);
  }

  #textOf(row: Row): ShownRow {
    const cells = this.#cells;
    fillCells(cells, row, this.#glyphs);
    const width = blankFrom(cells);
    let text = "";
    let style = 0;
    for (let x = 0; x < width; x += 1) {
      const own = cells.widths[x] ?? 1;
      if (own === 0) continue;
      const glyph = cells.glyphs[x] ?? 0;
      text += this.#styles.between(style, cells.styles[x] ?? 0);
      style = cells.styles[x] ?? 0;
      text += this.#glyphs.text(glyph);
      // Terminals disagree on its width.
      if (this.#glyphs.isUnsure(glyph)) text += `${ESC}${x + own + 1}G`;
    }
    return { row, text: text + this.#styles.between(style, 0), width };
  }
}

/** The behaviour of this terminal: xterm, screen and the Linux console cut their rows, and most others wrap them. */
export function reflowOf({
  TERM = "",
  TERM_PROGRAM,
  TMUX,
  XTERM_VERSION,
  STY,
}: Readonly<Record<string, string | undefined>>): Reflow {
  if (TMUX) return "rows";
  if (TERM_PROGRAM === "vscode") return "shifting";
  return XTERM_VERSION || STY || TERM === "linux" || TERM.startsWith("screen") ? "none" : "rows";
}

function up(rows: number): string {
  return rows > 0 ? `${ESC}${rows}A` : "";
}

function down(rows: number): string {
  return rows > 0 ? `${ESC}${rows}B` : "";
}
