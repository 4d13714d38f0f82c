/** Where the next key of vim mode goes, and what it may build on. */
export type VimState = {
  readonly mode: "insert" | "normal";
  /** Keys of a command that is not whole yet, such as `2d`. */
  readonly pending: string;
  /** What was deleted or copied last; `isLines`: whole lines. */
  readonly register: { readonly text: string; readonly isLines: boolean };
  /** The last search for a character in its line, as typed: `fx`. */
  readonly found: string;
};

export const vimStart: VimState = {
  mode: "insert",
  pending: "",
  register: { text: "", isLines: false },
  found: "",
};
