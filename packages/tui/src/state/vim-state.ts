/** Where the next key of vim mode goes, and what it may build on. */
export type VimState = {
  readonly mode: "insert" | "normal";
  /** Keys of a command that is not whole yet, such as `2d`. */
  readonly pending: string;
  /** The text deleted or copied last; `isLines`: whole lines. */
  readonly register: { readonly text: string; readonly isLines: boolean };
  /** The last search for a character in its line, as typed: `fx`. */
  readonly found: string;
  /** Visual mode, of normal mode: where the selection began, and the text that it is in. */
  readonly visual: { readonly anchor: number; readonly isLines: boolean; readonly text: string } | undefined;
  /** The keys that led to inserting, and the text and place then. */
  readonly inserting: { readonly keys: string; readonly text: string; readonly at: number } | undefined;
  /** The last change, for `.`: its keys, and what was typed after them. */
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
