import { type InputEvent, TextBuffer } from "../input/index.ts";
import type { LineEditor } from "../input/line-editor.ts";
import { previousGrapheme } from "../input/word-motion.ts";
import { type VimLine, vimLineEscape, vimLineKey } from "../vim/vim-line.ts";
import { vimMode } from "../vim/vim-selection.ts";
import { lineEdited } from "./line-edits.ts";

/** A line as its field shows it, divided at the cursor. */
export type ShownLine = {
  readonly before: string;
  readonly after: string;
  /** The mode of vim's keys; empty in insert mode. */
  readonly mode: string;
  /** Counts how often `before` was replaced with a text other than the one typed into ink-text-input. */
  readonly round: number;
};

type DividedLine = Pick<ShownLine, "before" | "after">;
type Settings = {
  /** True if vim's keys edit the line. */
  isVim(): boolean;
};

const BACKSPACE = "\u007f";
/** A secret shows its length, up to this many characters. */
const MAX_DOTS = 48;

/** How a field shows a secret. */
export function dots(length: number): string {
  return "•".repeat(Math.min(MAX_DOTS, length));
}

/**
 * Passes the keys for a plain line to the field in view. The text before the cursor is in ink-text-input, which turns
 * keys from Ink's stdin into text and Backspace. Every other key splits the line anew, however long it is:
 * ink-text-input would move through it in single steps. If no field is mounted yet, the line is only edited here.
 */
export class LineFieldInput implements LineEditor {
  readonly #listeners = new Set<() => void>();
  #press: ((key: string) => void) | undefined;
  #field: { readonly isSecret: boolean } | undefined;
  readonly #settings: Settings;
  /** The line as last edited: the state may keep only the text, without a cursor. */
  #line: VimLine | undefined;
  #shown: ShownLine = { before: "", after: "", mode: "", round: 0 };
  /** Keys have arrived since the last frame, so the field is ahead of the state. */
  #isAhead = false;

  constructor(settings: Settings = { isVim: () => false }) {
    this.#settings = settings;
  }

  /** `press`: gives a key to Ink, and has it drawn. */
  connect(press: (key: string) => void): void {
    this.#press = press;
  }

  /** Gives the field the keyboard, with its cursor at the end of the text; returns a function that takes it back. */
  mount(text: string, { isSecret }: { readonly isSecret: boolean }): () => void {
    const field = { isSecret };
    this.#field = field;
    this.#line = undefined;
    this.#show({ before: text, after: "" });
    this.#showMode();
    return () => {
      if (this.#field !== field) return;
      this.#field = undefined;
      this.#line = undefined;
    };
  }

  edit(line: TextBuffer, event: InputEvent): TextBuffer | undefined {
    const press = this.#press;
    if (!press || !this.#field) return lineEdited(line, event);
    const from = this.#lineOf(line);
    const inNormalMode = this.#settings.isVim() ? vimLineKey(from, event) : undefined;
    const typed = inNormalMode ? undefined : lineEdited(from.buffer, event);
    const next = inNormalMode ?? (typed && { buffer: typed, vim: from.vim });
    if (!next) return undefined;
    this.#take(from.buffer, next, press);
    return next.buffer;
  }

  keepsOpen(line: TextBuffer, event: InputEvent): boolean {
    const press = this.#press;
    const isEscape = event.type === "key" && event.name === "escape";
    if (!isEscape || !press || !this.#field || !this.#settings.isVim()) return false;
    const from = this.#lineOf(line);
    const next = vimLineEscape(from);
    if (next) this.#take(from.buffer, next, press);
    return next !== undefined;
  }

  /**
   * The line with the cursor where the field shows it, and the mode of its keys. A text that the state has replaced is
   * in insert mode; one that it has only trimmed stays as it is.
   */
  #lineOf(line: TextBuffer): VimLine {
    const last = this.#line;
    if (last?.buffer.text === line.text) return last;
    const isTrimmed = !line.isEmpty && last?.buffer.text.trim() === line.text.trim();
    const buffer = TextBuffer.of(line.text);
    if (!last || !isTrimmed) return { buffer, vim: undefined };
    const offset = last.buffer.offset - (last.buffer.text.length - line.text.length);
    return { buffer: buffer.cursorTo(Math.max(0, offset)), vim: last.vim };
  }

  #take(from: TextBuffer, next: VimLine, press: (key: string) => void): void {
    const isSecret = this.#field?.isSecret === true;
    this.#line = next;
    this.#isAhead = true;
    const [before, after] = [divideLine(from, isSecret), divideLine(next.buffer, isSecret)];
    // Several keys may arrive between two frames.
    this.#show(before);
    for (const key of typedKeys(before, after)) press(key);
    this.#show(after);
    this.#showMode();
  }

  /** Takes the result of a key in ink-text-input. */
  changed(before: string): void {
    this.#change({ ...this.#shown, before });
  }

  /**
   * Called when a frame is drawn: by then the state has the typed text, or has replaced it. Returns true if the field
   * has to be redrawn.
   */
  settle(): boolean {
    if (!this.#isAhead) return false;
    this.#isAhead = false;
    this.#change({ ...this.#shown });
    return true;
  }

  /** Shows the state's text, with the cursor at its end if the text is not the typed one. */
  follow(text: string): void {
    const { before, after } = this.#shown;
    if (this.#isAhead || before + after === text) return;
    // A secret is not in the state.
    this.#line = this.#field?.isSecret ? undefined : this.#lineOf(TextBuffer.of(text));
    this.#show(this.#line ? divideLine(this.#line.buffer, false) : { before: text, after: "" });
    this.#showMode();
  }

  readonly shown = (): ShownLine => this.#shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #show({ before, after }: DividedLine): void {
    const now = this.#shown;
    if (before !== now.before) this.#change({ ...now, before, after, round: now.round + 1 });
    else if (after !== now.after) this.#change({ ...now, after });
  }

  #showMode(): void {
    const mode = this.#line ? vimMode(this.#line) : "";
    if (mode !== this.#shown.mode) this.#change({ ...this.#shown, mode });
  }

  #change(shown: ShownLine): void {
    this.#shown = shown;
    for (const listener of this.#listeners) listener();
  }
}

function divideLine({ text, offset }: TextBuffer, isSecret: boolean): DividedLine {
  if (!isSecret) return { before: text.slice(0, offset), after: text.slice(offset) };
  const all = dots(text.length);
  return { before: all.slice(0, offset), after: all.slice(offset) };
}

/** The keys that turn one line into the other in ink-text-input: a text, or Backspace for one character. */
function typedKeys(from: DividedLine, to: DividedLine): string[] {
  if (from.after !== to.after) return [];
  if (to.before.length > from.before.length && to.before.startsWith(from.before))
    return [to.before.slice(from.before.length)];
  const { length } = from.before;
  const isCharacter = length > 0 && from.before.slice(0, previousGrapheme(from.before, length)) === to.before;
  // ink-text-input treats each UTF-16 unit as a character.
  return isCharacter ? Array.from({ length: length - to.before.length }, () => BACKSPACE) : [];
}
