import { type CopyTerminal, copyToTerminal } from "@harness/client/actions";
import type { MouseEvent } from "../input/index.ts";
import type { Frame } from "../render/index.ts";
import { type CellPosition, ScreenSelection, type ScrollArea } from "../render/screen-selection.ts";
import type { WindowClock } from "../state/clock.ts";

/** A second press at the same cell within this time is a double click. */
const DOUBLE_CLICK_MS = 400;
const REFUSED =
  "If your clipboard is empty, your terminal does not let programs set it: hold Shift (Option on macOS) while you select.";
const KEPT_BY_TMUX = "If your clipboard is empty, `tmux set -g set-clipboard on` lets texts through.";

type PointerDeps = {
  clock: WindowClock;
  terminal: CopyTerminal;
  /** A frame is due. */
  changed(): void;
  /** Cells where each press is a click of its own, so that two of them mark no word. */
  isControl(cell: CellPosition): boolean;
  /** A press and a release at the same cell. */
  clicked(cell: CellPosition): void;
  /** A text was copied: a sentence for the user. */
  copied(words: string): void;
  /** Whether a selection is copied at once. */
  copiesAtOnce(): boolean;
};

/** The mouse: marks text and copies it. */
export class Pointer {
  readonly #deps: PointerDeps;
  readonly #selection = new ScreenSelection();
  #pressed: CellPosition | undefined;
  #hasCopied = false;
  #last: { cell: CellPosition; at: number; count: number } | undefined;

  constructor(deps: PointerDeps) {
    this.#deps = deps;
  }

  /** The frame with the selection drawn; `area` scrolls. */
  drawn(frame: Frame, area: ScrollArea): Frame {
    const rows = this.#selection.drawn(frame.rows, area);
    return rows === frame.rows ? frame : { ...frame, rows };
  }

  /** Removes the selection after a key press. */
  clear(): void {
    if (!this.#selection.isEmpty) this.#deps.changed();
    this.#selection.clear();
  }

  /** Begins a selection at a cell, for keys. */
  beginAt(cell: CellPosition): void {
    this.#selection.begin(cell);
  }

  extendTo(cell: CellPosition): void {
    this.#selection.extend(cell);
  }

  /** Copies the selection. False: there is none. */
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
    this.#deps.changed();
  }

  #press(cell: CellPosition): void {
    const now = this.#deps.clock.now();
    const last = this.#last;
    const isAgain = last && same(last.cell, cell) && now - last.at < DOUBLE_CLICK_MS;
    const count = isAgain ? last.count + 1 : 1;
    this.#last = { cell, at: now, count };
    this.#pressed = cell;
    if (count === 1 || this.#deps.isControl(cell)) this.#selection.begin(cell);
    else if (count === 2) this.#selection.markWord(cell);
    else this.#selection.markRow(cell.y);
  }

  #copy(text: string): void {
    const { terminal, copied } = this.#deps;
    const advice = terminal.env.TMUX === undefined ? REFUSED : KEPT_BY_TMUX;
    copied(`${copyToTerminal(text, terminal)}${this.#hasCopied ? "" : ` ${advice}`}`);
    this.#hasCopied = true;
  }

  #release(cell: CellPosition): void {
    const pressed = this.#pressed;
    this.#pressed = undefined;
    if (!pressed) return;
    const text = this.#selection.text();
    if (text !== "" && this.#deps.copiesAtOnce()) this.#copy(text);
    else if (text === "" && same(pressed, cell)) this.#deps.clicked(cell);
  }
}

function same(a: CellPosition, b: CellPosition): boolean {
  return a.x === b.x && a.y === b.y;
}
