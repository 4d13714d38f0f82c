import xterm, { type IBufferCell, type Terminal } from "@xterm/headless";
import { todaysWidths } from "./unicode-widths.ts";

/** Colours are CSS; undefined is the terminal's default. `width` 2 is a wide character, 0 its right half. */
export type ScreenCell = {
  text: string;
  width: number;
  fg: string | undefined;
  bg: string | undefined;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  inverse: boolean;
  strike: boolean;
};

export type VirtualScreenOptions = {
  columns: number;
  rows: number;
  /** `old`: a terminal that draws emoji one cell wide, as some still do. */
  widths?: "today" | "old";
  /** Lines kept above the main screen. */
  scrollback?: number;
};

/** xterm's first 16 colours, slightly softer, so that pictures look like a modern terminal's. */
const base16 =
  "#1d1f28 #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #c8ccd4 #6b7280 #ef7a85 #a9d48c #f0cf8e #7dc0ff #d694ea #6fcbd6 #ffffff".split(
    " ",
  );
const steps = [0, 95, 135, 175, 215, 255];

function hex(...channels: number[]): string {
  return `#${channels.map((each) => each.toString(16).padStart(2, "0")).join("")}`;
}

function paletteColour(index: number): string {
  if (index < 16) return base16[index] ?? "#000000";
  if (index >= 232) return hex(...[0, 1, 2].map(() => 8 + (index - 232) * 10));
  const rest = index - 16;
  return hex(steps[Math.floor(rest / 36)] ?? 0, steps[Math.floor(rest / 6) % 6] ?? 0, steps[rest % 6] ?? 0);
}

function colour(isRgb: boolean, isPalette: boolean, value: number): string | undefined {
  if (isRgb) return hex((value >> 16) & 255, (value >> 8) & 255, value & 255);
  return isPalette ? paletteColour(value) : undefined;
}

function cellOf(cell: IBufferCell): ScreenCell {
  return {
    text: cell.getChars(),
    width: cell.getWidth(),
    fg: colour(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor()),
    bg: colour(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor()),
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    italic: cell.isItalic() !== 0,
    underline: cell.isUnderline() !== 0,
    inverse: cell.isInverse() !== 0,
    strike: cell.isStrikethrough() !== 0,
  };
}

/** A terminal without a window: bytes in, cells out. */
export class VirtualScreen {
  readonly #terminal: Terminal;
  #cursorShown = true;
  #isUpdating = false;

  constructor({ columns, rows, widths = "today", scrollback = 0 }: VirtualScreenOptions) {
    this.#terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback });
    if (widths === "today") {
      this.#terminal.unicode.register(todaysWidths);
      this.#terminal.unicode.activeVersion = todaysWidths.version;
    }
    for (const final of ["h", "l"]) {
      this.#terminal.parser.registerCsiHandler({ prefix: "?", final }, (parameters) => {
        if (parameters.includes(25)) this.#cursorShown = final === "h";
        if (parameters.includes(2026)) this.#isUpdating = final === "h";
        return false;
      });
    }
  }

  get columns(): number {
    return this.#terminal.cols;
  }
  get rows(): number {
    return this.#terminal.rows;
  }

  /** Resolves when the bytes are on the screen. */
  write(data: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#terminal.write(data, resolve));
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows);
  }

  /** The terminal's replies to queries (device attributes, cursor position …). */
  onReply(listener: (data: string) => void): void {
    this.#terminal.onData(listener);
  }

  get cursor(): { x: number; y: number; shown: boolean } {
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    return { x: cursorX, y: cursorY, shown: this.#cursorShown };
  }

  /** In the middle of a synchronised update: a terminal would still show the previous frame. */
  get isUpdating(): boolean {
    return this.#isUpdating;
  }

  get alternate(): boolean {
    return this.#terminal.buffer.active.type === "alternate";
  }

  get modes(): { bracketedPaste: boolean; focusEvents: boolean; mouse: string; wraps: boolean } {
    const { bracketedPasteMode, sendFocusMode, mouseTrackingMode, wraparoundMode } = this.#terminal.modes;
    return {
      bracketedPaste: bracketedPasteMode,
      focusEvents: sendFocusMode,
      mouse: mouseTrackingMode,
      wraps: wraparoundMode,
    };
  }

  /** The visible rows, without trailing blanks. */
  lines(): string[] {
    const { active } = this.#terminal.buffer;
    return Array.from(
      { length: this.rows },
      (_, y) =>
        active
          .getLine(active.viewportY + y)
          // A row that was wider once still has its old end, out of sight.
          ?.translateToString(true, 0, this.columns)
          .trimEnd() ?? "",
    );
  }

  /** Everything that the terminal keeps, including what has scrolled out; a wrapped row is one line again. */
  history(): string[] {
    const { active } = this.#terminal.buffer;
    const lines: string[] = [];
    for (let y = 0; y < active.length; y += 1) {
      const line = active.getLine(y);
      const text = line?.translateToString(true) ?? "";
      if (line?.isWrapped) lines.push((lines.pop() ?? "") + text);
      else lines.push(text);
    }
    return lines.map((line) => line.trimEnd());
  }

  cells(): ScreenCell[][] {
    const { active } = this.#terminal.buffer;
    return Array.from({ length: this.rows }, (_, y) => {
      const line = active.getLine(active.viewportY + y);
      return Array.from({ length: this.columns }, (_, x) => {
        const cell = line?.getCell(x);
        if (!cell) throw new Error(`no cell at ${x},${y} of a screen of ${this.columns}×${this.rows}`);
        return cellOf(cell);
      });
    });
  }
}
