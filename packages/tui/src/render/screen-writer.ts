import { type ColourLevel, colourCodes, styleAt } from "../text/colour-level.ts";
import { BOLD, DIM, INVERSE, ITALIC, STRIKE, type Style, styleById, UNDERLINE } from "../text/style.ts";
import type { Theme } from "../theme/theme.ts";
import type { Glyphs } from "./cell-row.ts";

const setCodes: readonly (readonly [number, string])[] = [
  [BOLD, "1"],
  [DIM, "2"],
  [ITALIC, "3"],
  [UNDERLINE, "4"],
  [INVERSE, "7"],
  [STRIKE, "9"],
];

/** SGR sequences from one style to another at a colour level, each computed once. */
export class StyleSequences {
  readonly #theme: Theme;
  readonly #level: ColourLevel;
  readonly #known = new Map<number, string>();

  constructor(theme: Theme, level: ColourLevel) {
    this.#theme = theme;
    this.#level = level;
  }

  between(from: number, to: number): string {
    if (from === to) return "";
    const key = from * 65536 + to;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const [before, after] = [styleById(from), styleById(to)];
    const sequence = this.#make(before, after) + this.#link(before, after);
    this.#known.set(key, sequence);
    return sequence;
  }

  #codes(style: Style): { fg: string; bg: string; attributes: string[] } {
    const { fg, bg, attributes } = styleAt(style, this.#theme, this.#level);
    return {
      fg: fg === undefined ? "" : colourCodes(fg, this.#theme, this.#level, "fg"),
      bg: bg === undefined ? "" : colourCodes(bg, this.#theme, this.#level, "bg"),
      attributes: setCodes.filter(([bit]) => (attributes & bit) !== 0).map(([, code]) => code),
    };
  }

  /** Terminals with few colours may not support links, and some of them would print the sequences. */
  #link({ link: before }: Style, { link: after }: Style): string {
    if (before === after || this.#level === "none" || this.#level === "16") return "";
    return `\u001b]8;;${after ?? ""}\u001b\\`;
  }

  /** The shorter of the full style and only the differences. */
  #make(from: Style, to: Style): string {
    const before = this.#codes(from);
    const after = this.#codes(to);
    const codes = [...after.attributes, after.fg, after.bg].filter((code) => code !== "");
    const whole = codes.length === 0 ? "\u001b[m" : `\u001b[0;${codes.join(";")}m`;
    const removed = before.attributes.some((code) => !after.attributes.includes(code));
    if (removed) return whole;
    const changes = after.attributes.filter((code) => !before.attributes.includes(code));
    if (before.fg !== after.fg) changes.push(after.fg || "39");
    if (before.bg !== after.bg) changes.push(after.bg || "49");
    const change = changes.length === 0 ? "" : `\u001b[${changes.join(";")}m`;
    return change.length <= whole.length ? change : whole;
  }
}

/** Unknown: the next move must be absolute. */
const UNKNOWN = -1;

/** Collects the bytes of one frame and tracks the terminal's cursor and style after them. */
export class ScreenWriter {
  readonly #styles: StyleSequences;
  readonly #glyphs: Glyphs;
  readonly #columns: number;
  #out = "";
  #x = UNKNOWN;
  #y = UNKNOWN;
  #style = 0;
  /** True if rows other than the one the frame began on were written. */
  strayed = false;

  constructor(styles: StyleSequences, glyphs: Glyphs, columns: number) {
    this.#styles = styles;
    this.#glyphs = glyphs;
    this.#columns = columns;
  }

  /** Returns the collected bytes and clears them; the cursor stays known. */
  take(): string {
    const out = this.#out;
    this.#out = "";
    this.strayed = false;
    return out;
  }

  get isEmpty(): boolean {
    return this.#out === "";
  }

  moveTo(x: number, y: number): void {
    if (x === this.#x && y === this.#y) return;
    if (y !== this.#y) this.strayed = true;
    this.#out += this.#move(x, y);
    this.#x = x;
    this.#y = y;
  }

  #move(x: number, y: number): string {
    const absolute = x === 0 ? `\u001b[${y === 0 ? "" : y + 1}H` : `\u001b[${y + 1};${x + 1}H`;
    if (this.#y === UNKNOWN) return absolute;
    if (y !== this.#y) return x === 0 && y === this.#y + 1 ? "\r\n" : absolute;
    if (x === 0) return "\r";
    const column = `\u001b[${x + 1}G`;
    if (this.#x === UNKNOWN) return column;
    const by = x - this.#x;
    if (by === -1) return "\b";
    const relative = by > 0 ? `\u001b[${by === 1 ? "" : by}C` : `\u001b[${-by}D`;
    return relative.length < column.length ? relative : column;
  }

  setStyle(id: number): void {
    this.#out += this.#styles.between(this.#style, id);
    this.#style = id;
  }

  /** Writes a glyph at the cursor. */
  put(glyph: number, style: number, width: number): void {
    this.setStyle(style);
    if (this.#glyphs.isUnsure(glyph)) {
      const x = this.#x;
      // Blanks first: a terminal that gives the glyph fewer cells would leave old ones next to it.
      this.#out += `${" ".repeat(width)}\u001b[${x + 1}G${this.#glyphs.text(glyph)}`;
      this.#x = UNKNOWN;
      return;
    }
    this.#out += glyph < 0x80 ? String.fromCharCode(glyph) : this.#glyphs.text(glyph);
    this.#x += width;
    // Wrapping is off; terminals differ in where the cursor is after the last column.
    if (this.#x >= this.#columns) this.#x = UNKNOWN;
  }

  /** Blanks from the cursor to the end of its row. */
  eraseRest(): void {
    this.setStyle(0);
    this.#out += "\u001b[K";
  }

  /** Moves the rows from `top` to `bottom` (both included) up by `by` (down if negative); blank rows come in. */
  scroll(top: number, bottom: number, by: number): void {
    this.setStyle(0);
    this.#out += `\u001b[${top + 1};${bottom + 1}r\u001b[${Math.abs(by)}${by > 0 ? "S" : "T"}\u001b[r`;
    this.#x = 0;
    this.#y = 0;
    this.strayed = true;
  }

  /** Discards everything known about the terminal. */
  forget(): void {
    this.#out += "\u001b[m";
    this.#style = 0;
    this.#x = UNKNOWN;
    this.#y = UNKNOWN;
  }
}
