import { copyToTerminal } from "@harness/client/actions";
import type { MouseEvent } from "../input/index.ts";
import type { Frame } from "../render/index.ts";
import { type ScreenCell, ScreenSelection, type ScrollArea } from "../render/screen-selection.ts";
import type { Clock } from "../state/clock.ts";

/** A press this soon after another, at the same cell, is a double click. */
const DOUBLE_CLICK_MS = 400;
const REFUSED =
  "If your clipboard is empty, your terminal does not let programs set it: hold Shift (Option on macOS) while you select.";

export type PointerParts = {
  clock: Clock;
  write(data: string): void;
  /** A frame is due. */
  changed(): void;
  /** A press and a release at the same cell. */
  clicked(cell: ScreenCell): void;
  /** A text was copied: a sentence for the person. */
  copied(words: string): void;
  /** Whether a selection is copied at once. */
  copiesAtOnce(): boolean;
};

/** The mouse: marks text and copies it. */
export class Pointer {
  readonly #parts: PointerParts;
  readonly #selection = new ScreenSelection();
  #pressed: ScreenCell | undefined;
  #hasCopied = false;
  #last: { cell: ScreenCell; at: number; count: number } | undefined;

  constructor(parts: PointerParts) {
    this.#parts = parts;
  }

  /** A frame with what is marked; `area` scrolls. */
  drawn(frame: Frame, area: ScrollArea): Frame {
    const rows = this.#selection.drawn(frame.rows, area);
    return rows === frame.rows ? frame : { ...frame, rows };
  }

  /** Removes the selection after a key press. */
  clear(): void {
    if (!this.#selection.isEmpty) this.#parts.changed();
    this.#selection.clear();
  }

  /** Begins to mark at a cell, for keys. */
  beginAt(cell: ScreenCell): void {
    this.#selection.begin(cell);
  }

  extendTo(cell: ScreenCell): void {
    this.#selection.extend(cell);
  }

  /** Copies what is marked. False when nothing is. */
  copyMarked(): boolean {
    const text = this.#selection.text();
    if (text !== "") this.#copy(text);
    return text !== "";
  }

  take({ action, x, y }: MouseEvent): void {
    const cell = { x, y };
    if (action === "press") this.#press(cell);
    else if (action === "drag" && this.#pressed) this.#selection.extend(cell);
    else if (action === "release") this.#release(cell);
    this.#parts.changed();
  }

  #press(cell: ScreenCell): void {
    const now = this.#parts.clock.now();
    const last = this.#last;
    const isAgain = last && same(last.cell, cell) && now - last.at < DOUBLE_CLICK_MS;
    const count = isAgain ? last.count + 1 : 1;
    this.#last = { cell, at: now, count };
    this.#pressed = cell;
    if (count === 1) this.#selection.begin(cell);
    else if (count === 2) this.#selection.markWord(cell);
    else this.#selection.markRow(cell.y);
  }

  #copy(text: string): void {
    const { write, copied } = this.#parts;
    copied(`${copyToTerminal(text, write)}${this.#hasCopied ? "" : ` ${REFUSED}`}`);
    this.#hasCopied = true;
  }

  #release(cell: ScreenCell): void {
    const pressed = this.#pressed;
    this.#pressed = undefined;
    if (!pressed) return;
    const text = this.#selection.text();
    if (text !== "" && this.#parts.copiesAtOnce()) this.#copy(text);
    else if (text === "" && same(pressed, cell)) this.#parts.clicked(cell);
  }
}

function same(a: ScreenCell, b: ScreenCell): boolean {
  return a.x === b.x && a.y === b.y;
}
