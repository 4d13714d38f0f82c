import type { DroppedCharacters } from "../text/hidden-characters.ts";
/**
 * A pressed key. `name` is lower case: a printable character's own ("a", "é", "/"), or one of space enter tab escape
 * backspace delete insert up down left right home end pageup pagedown f1…f24. `text` is what it types ("": nothing):
 * for plain and shifted characters the character itself. `alt` is Alt or Option, `meta` is Super or Command.
 */
export type KeyEvent = {
  type: "key";
  /** The user's key bindings; absent: the defaults of the tables. */
  keymap?: KeyMeanings;
  name: string;
  text: string;
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
  meta: boolean;
  /** An Enter in the same read as preceding text: a line of a script, or of an unmarked paste. */
  endsBurst?: true;
};
/** Maps a key to the id of its row in the table of a place. */
type KeyMeanings = { idOf(where: string, key: string): string | undefined };
/**
 * Newlines are `\n`, control and hidden characters are removed. `cut`: it exceeded the cap, and the rest was dropped.
 * `hidden`: the hidden characters that it had.
 */
export type PasteEvent = { type: "paste"; text: string; cut: boolean; hidden?: DroppedCharacters };
/** One click of the wheel, negative is up; the cell is 0-based. */
type WheelEvent = { type: "wheel"; direction: -1 | 1; x: number; y: number };
/** The left button; the cell is 0-based. */
export type MouseEvent = { type: "mouse"; action: "press" | "drag" | "release"; x: number; y: number };
type FocusEvent = { type: "focus"; focused: boolean };
/** A reply of the terminal to one of our queries; `text` is the whole sequence. Never typed text. */
type ReplyEvent = { type: "reply"; kind: "attributes" | "cursor" | "keyboard" | "mode" | "other"; text: string };
export type InputEvent = KeyEvent | PasteEvent | WheelEvent | MouseEvent | FocusEvent | ReplyEvent;
