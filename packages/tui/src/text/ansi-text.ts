import { EscapeReader } from "./escape-reader.ts";
import { dropHidden } from "./hidden-characters.ts";
import { applySgr } from "./sgr.ts";
import { PLAIN, type Span, type Style } from "./style.ts";
import { expandTabs, TAB_STOP } from "./tabs.ts";
import { eachGrapheme } from "./width.ts";

export type StyledLine = readonly Span[];

type Piece = { text: string; style: Style };
/** `from` is the cell that the cursor returns to (\r, \b), or where erasing begins. */
type Step = Piece | "return" | "back" | { erase: number };
type Overwritten = { text: string; style: Style } | undefined;

/** After this many steps a line that overwrites itself (a progress bar) is drawn and its history is dropped. */
const MAX_STEPS = 256;

/**
 * Tool output as styled lines, while it arrives. Only colours and attributes survive, as our own styles; \r returns to
 * the start of the line and the text after it overwrites, as on a terminal; other cursor movement is ignored.
 */
export class AnsiText {
  readonly #lines: StyledLine[] = [];
  #steps: Step[] = [];
  #style = PLAIN;
  #reader = new EscapeReader({
    text: (text) => this.#write(text),
    newline: () => this.#endLine(),
    carriageReturn: () => this.#step("return"),
    tab: () => this.#write("\t"),
    backspace: () => this.#step("back"),
    sgr: (parameters) => {
      this.#style = applySgr(this.#style, parameters);
    },
    eraseLine: (erase) => this.#step({ erase }),
  });

  push(chunk: string): void {
    this.#reader.push(chunk);
  }

  end(): void {
    this.#reader.end();
  }

  get lineCount(): number {
    return this.#lines.length + (this.#steps.length === 0 ? 0 : 1);
  }

  /** Finished lines (the same objects each time), then the unfinished one unless it is empty; `last` limits their number. */
  lines(last = Number.POSITIVE_INFINITY): StyledLine[] {
    if (this.#steps.length === 0) return this.#lines.slice(-last);
    return [...(last > 1 ? this.#lines.slice(1 - last) : []), drawLine(this.#steps)];
  }

  #write(text: string): void {
    const last = this.#steps[this.#steps.length - 1];
    if (typeof last === "object" && "text" in last && last.style === this.#style) last.text += text;
    else this.#steps.push({ text, style: this.#style });
  }

  #step(step: Step): void {
    this.#steps.push(step);
    if (this.#steps.length > MAX_STEPS && step === "return") {
      this.#steps = [...drawLine(this.#steps).map((span) => ({ ...span })), "return"];
    }
  }

  #endLine(): void {
    this.#lines.push(drawLine(this.#steps));
    this.#steps = [];
  }
}

/** The lines of a whole output. */
export function ansiLines(text: string): StyledLine[] {
  const reader = new AnsiText();
  reader.push(text);
  reader.end();
  return reader.lines();
}

function drawLine(steps: readonly Step[]): StyledLine {
  // "\r\n" ends a line: its carriage return overwrites nothing.
  const used = steps[steps.length - 1] === "return" ? steps.slice(0, -1) : steps;
  const pieces: Piece[] = [];
  for (const step of used) {
    if (typeof step !== "object" || !("text" in step)) return overwrite(used);
    pieces.push(step);
  }
  return expandTabs(
    pieces.map(({ text, style }) => ({ text: dropHidden(text), style })).filter(({ text }) => text !== ""),
  );
}

function overwrite(steps: readonly Step[]): StyledLine {
  const cells: Overwritten[] = [];
  let at = 0;
  for (const step of steps) {
    if (step === "return") at = 0;
    else if (step === "back") at = Math.max(0, at - 1);
    else if ("erase" in step) {
      if (step.erase === 2) cells.length = 0;
      else if (step.erase === 1) cells.fill({ text: " ", style: PLAIN }, 0, at + 1);
      else cells.length = Math.min(cells.length, at);
    } else at = putPiece(cells, at, step);
  }
  const spans: Piece[] = [];
  // Array.from also visits the holes that a tab left.
  for (const cell of Array.from(cells, (each) => each ?? { text: " ", style: PLAIN })) {
    const last = spans[spans.length - 1];
    if (last?.style === cell.style) last.text += cell.text;
    else spans.push({ ...cell });
  }
  return spans;
}

const BLANK = { text: " ", style: PLAIN };
/** The right half of a wide character. */
const RIGHT_HALF = { text: "", style: PLAIN };

function putPiece(cells: Overwritten[], start: number, { text, style }: Piece): number {
  let at = start;
  eachGrapheme(dropHidden(text), (grapheme, width) => {
    if (grapheme === "\t") {
      at = (Math.floor(at / TAB_STOP) + 1) * TAB_STOP;
      return;
    }
    if (width === 0) return;
    if (cells[at] === RIGHT_HALF) cells[at - 1] = BLANK;
    if (cells[at + width] === RIGHT_HALF) cells[at + width] = BLANK;
    cells[at] = { text: grapheme, style };
    if (width === 2) cells[at + 1] = RIGHT_HALF;
    at += width;
  });
  return at;
}
