import type { TextBuffer } from "../input/index.ts";

/** Where the next vim key goes, and the state it may build on. */
export type VimState = {
  readonly mode: "insert" | "normal";
  /** Keys of an incomplete command, such as `2d`. */
  readonly pending: string;
  /** The text deleted or copied last; `isLines` if it is whole lines. */
  readonly register: { readonly text: string; readonly isLines: boolean };
  /** The last search for a character in its line, as typed: `fx`. */
  readonly found: string;
  /** Visual mode within normal mode: where the selection began, and its text. */
  readonly visual: { readonly anchor: number; readonly isLines: boolean; readonly text: string } | undefined;
  /** The keys that started inserting, the text and position at that time, and the input before the keys. */
  readonly inserting:
    | { readonly keys: string; readonly text: string; readonly at: number; readonly before: TextBuffer }
    | undefined;
  /** The last change, for `.`: its keys, and the text typed after them. */
  readonly repeat: { readonly keys: string; readonly typed: string } | undefined;
};

export const vimStart: VimState = {
  mode: "insert",
  pending: "",
  register: { text: "", isLines: false },
  found: "",
  visual: undefined,
  inserting: undefined,
  repeat: undefined,
};
