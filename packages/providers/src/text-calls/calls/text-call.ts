import type { OfferedTools } from "./offered-tools.ts";

/**
 * A call as written in its form. Exactly one of `input` (the arguments were an object) and `inputText` (JSON, or what
 * the model wrote in its place) is present. `cut`: the text ends inside the arguments, which are never completed.
 */
export type WrittenCall = { name: string; input?: Record<string, unknown>; inputText?: string; cut?: true };

export type TextCall = WrittenCall & { form: string };

/** The start of a block: `start` at its opener's first character, `at` after the opener. */
export type BlockStart = { text: string; start: number; at: number; opener: string; tools: OfferedTools };

/**
 * A form's reading of one block. Without `calls` the block is not of this form; `end` is then how far the form has
 * read, and no block of the same kind is searched for before it, which keeps reading linear. `text` and `thinking` are
 * the parts of the block that are not calls.
 */
export type Reading =
  | { calls: WrittenCall[]; end: number; text?: string; thinking?: string }
  | { calls?: undefined; end: number };

/** A way in which models write calls as text. */
export type CallForm = {
  id: string;
  /** The format's origin and its documentation. */
  source: string;
  /** Marks that begin a block. */
  openers: readonly string[];
  /** Marks that end a block; empty if it extends to the end of the message. */
  closers: readonly string[];
  /**
   * The beginnings that may follow the opener, without white space; `names` are those of the tools. A stream is held
   * back only for these. A missing one merely shows raw markup on the screen for a moment. Absent: `usualStarts`.
   */
  starts?(names: readonly string[]): string[];
  read(block: BlockStart): Reading;
};

/** JSON, a list, a tag, a fence, or the name of a tool: none of these follows a mark that prose merely mentions. */
export function usualStarts(names: readonly string[]): string[] {
  return ["{", "[", "<", "```", "functions.", ...names, ...names.map((name) => `"${name}`)];
}

/** A regular expression that matches any of the marks. */
export function anyOf(marks: readonly string[]): string {
  return marks.map((mark) => mark.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
}

/** The position of the next character that is not white space; the length if there is none. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

/** Skips closing braces too, because models write one too many or too few. */
export function skipBraces(text: string, from: number): number {
  let at = skipSpace(text, from);
  while (text[at] === "}") at = skipSpace(text, at + 1);
  return at;
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0xfeff;
}
