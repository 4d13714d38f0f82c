import type { MarkedExtension, Token, TokenizerThis, Tokens } from "marked";
import { tableWithSurplus } from "./table-cells.ts";

/** A formula, kept as written: a terminal has no better form for it. */
type MathToken = { type: "math"; raw: string };
/** A reference to a footnote, and the footnote itself. */
type NoteSignToken = { type: "noteSign"; raw: string; label: string };
export type NoteToken = { type: "note"; raw: string; label: string; tokens: Token[] };
export type OwnToken = MathToken | NoteSignToken | NoteToken;

/** Formulas are limited in length, so that a text full of opening signs takes linear time. */
const INLINE_MATH =
  /^(?:\$\$[^$]{1,400}\$\$|\$(?![\s$])[^$\n]{0,400}?[^\s$\\]\$(?!\w)|\\\([^\n]{1,400}?\\\)|\\\[[^\n]{1,400}?\\\])/;
const BLOCK_MATH = /^ {0,3}(?:\$\$[^$]{1,2000}\$\$|\\\[[^$]{1,2000}?\\\])[ \t]*(?:\n|$)/;
const NOTE_SIGN = /^\[\^([^\]\s]{1,40})\]/;
const NOTE = /^\[\^([^\]\s]{1,40})\]:[ \t]+([^\n]*(?:\n {2,}[^\n]+){0,50})(?:\n|$)/;
/** How far ahead plain text is searched for the beginning of a formula. */
const AHEAD = 400;

/** Common Markdown beyond CommonMark and GFM: formulas and footnotes. */
export const markdownExtensions: MarkedExtension = {
  extensions: [
    { name: "math", level: "inline", start: dollar, tokenizer: (source) => math(INLINE_MATH, source) },
    { name: "math", level: "block", tokenizer: (source) => math(BLOCK_MATH, source) },
    { name: "noteSign", level: "inline", tokenizer: noteSign },
    { name: "note", level: "block", tokenizer: note },
    { name: "table", level: "block", tokenizer: tableWithSurplus },
  ],
};

function dollar(source: string): number | undefined {
  const at = source.slice(0, AHEAD).indexOf("$");
  return at < 0 ? undefined : at;
}

function math(pattern: RegExp, source: string): Tokens.Generic | undefined {
  const [raw] = pattern.exec(source) ?? [];
  return raw === undefined ? undefined : ({ type: "math", raw } satisfies MathToken);
}

function noteSign(source: string): Tokens.Generic | undefined {
  const [raw, label = ""] = NOTE_SIGN.exec(source) ?? [];
  return raw === undefined ? undefined : ({ type: "noteSign", raw, label } satisfies NoteSignToken);
}

function note(this: TokenizerThis, source: string): Tokens.Generic | undefined {
  const [raw, label = "", text = ""] = NOTE.exec(source) ?? [];
  if (raw === undefined) return undefined;
  return { type: "note", raw, label, tokens: this.lexer.inlineTokens(text.trim()) } satisfies NoteToken;
}

const RAISED = ["⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"];

/** The mark of a footnote: superscript digits, or its name in brackets. */
export function noteMark(label: string): string {
  return /^\d{1,3}$/.test(label) ? [...label].map((digit) => RAISED[Number(digit)] ?? digit).join("") : `[${label}]`;
}
