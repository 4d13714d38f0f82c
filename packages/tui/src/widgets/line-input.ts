import { type InputEvent, TextBuffer } from "../input/index.ts";
import type { LineEditor } from "../input/line-editor.ts";
import { keystrokes, type Line } from "./keystrokes.ts";
import { lineEdited } from "./line-edits.ts";

/** A field that has the keyboard. */
export type MountedField = {
  /** As it was mounted. */
  readonly text: string;
  readonly isSecret: boolean;
};

/** A secret shows how long it is, up to this length. */
const MAX_DOTS = 48;

/** What a field shows of a secret. */
export function dots(length: number): string {
  return "•".repeat(Math.min(MAX_DOTS, length));
}

/**
 * Gives the keys for a plain line to the field in view (ink-text-input), through Ink's stdin. The field knows arrows,
 * Backspace and text; what a key means beyond these becomes the keys that it knows. Where no field is mounted yet, the
 * line is edited here.
 */
export class LineInput implements LineEditor {
  readonly #listeners = new Set<() => void>();
  #press: ((key: string) => void) | undefined;
  #field: MountedField | undefined;
  /** The field's own text and cursor. */
  #at: Line = { text: "", offset: 0 };
  /** What the field shows until the next frame, where that is ahead of the state. */
  #ahead: string | undefined;

  /** `press`: gives a key to Ink, and has it drawn. */
  connect(press: (key: string) => void): void {
    this.#press = press;
  }

  /** The field has the keyboard; returns the way to take it back. Its cursor is at the end. */
  mount(field: MountedField): () => void {
    this.#field = field;
    this.#at = { text: field.text, offset: field.text.length };
    return () => {
      if (this.#field === field) this.#field = undefined;
    };
  }

  edit(line: TextBuffer, event: InputEvent): TextBuffer | undefined {
    const next = lineEdited(line, event);
    const press = this.#press;
    if (!next || !press || !this.#field) return next;
    const { isSecret } = this.#field;
    const before = shown(line, isSecret);
    const after = shown(next, isSecret);
    // Several keys may come between two frames.
    this.#show(before.text);
    for (const key of keystrokes(this.#cursorIn(before), after)) press(key);
    const text = this.#ahead ?? before.text;
    this.#at = { text, offset: after.offset };
    // A secret is never in the field, and a field that does not listen yet has made nothing of the keys.
    return isSecret || text === next.text || text === before.text ? next : TextBuffer.of(text);
  }

  /** What the field made of a key. */
  changed(text: string): void {
    this.#show(text);
  }

  /** A frame is drawn: the state has what was typed, or something else in its place. Whether the field has to be drawn. */
  settle(): boolean {
    if (this.#ahead === undefined) return false;
    this.#show(undefined);
    return true;
  }

  /** The text that a field shows: that of the state, or what was typed since. */
  textOf(text: string): string {
    return this.#ahead ?? text;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #show(text: string | undefined): void {
    this.#ahead = text;
    for (const listener of this.#listeners) listener();
  }

  /** The field's cursor in a text that it may have been given since: ink-text-input moves it to the end of a shorter one. */
  #cursorIn({ text }: Line): Line {
    const { offset } = this.#at;
    return { text, offset: text !== this.#at.text && offset > text.length - 1 ? text.length : offset };
  }
}

function shown({ text, offset }: TextBuffer, isSecret: boolean): Line {
  if (!isSecret) return { text, offset };
  return { text: dots(text.length), offset: Math.min(MAX_DOTS, offset) };
}
