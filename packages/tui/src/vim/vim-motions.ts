import { nextGrapheme, previousGrapheme } from "../input/index.ts";

/** The target of a motion. `isInclusive`: an operator includes the character there; `isLines`: whole lines. */
export type Motion = { readonly to: number; readonly isInclusive?: boolean; readonly isLines?: boolean };
type Move = (text: string, at: number, count: number, isCounted: boolean) => Motion | undefined;

export function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

/** The first character of the line that is not blank. */
export function firstOfLine(text: string, at: number): number {
  const start = lineStart(text, at);
  const blanks = /^[ \t]*/.exec(text.slice(start, lineEnd(text, at)))?.[0].length ?? 0;
  return start + blanks;
}

/** The start of a line, counted from 1; of the last line if there are fewer. */
function startOfLine(text: string, line: number): number {
  let at = 0;
  for (let passed = 1; passed < line; passed++) {
    const next = text.indexOf("\n", at);
    if (next < 0) break;
    at = next + 1;
  }
  return at;
}

type Kind = "blank" | "word" | "other";

/** `isBig`: everything between blanks is one word. */
function kindAt(text: string, at: number, isBig: boolean): Kind {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 32);
  if (/\s/u.test(character)) return "blank";
  return isBig || /[\p{L}\p{N}\p{M}_]/u.test(character) ? "word" : "other";
}

function after(text: string, at: number): number {
  return at < text.length ? nextGrapheme(text, at) : at;
}

function before(text: string, at: number): number {
  return at > 0 ? previousGrapheme(text, at) : 0;
}

function nextWordStart(text: string, from: number, isBig: boolean): number {
  let at = from;
  const kind = kindAt(text, at, isBig);
  while (at < text.length && kind !== "blank" && kindAt(text, at, isBig) === kind) at = after(text, at);
  while (at < text.length && kindAt(text, at, isBig) === "blank") at = after(text, at);
  return at;
}

function wordStart(text: string, from: number, isBig: boolean): number {
  let at = before(text, from);
  while (at > 0 && kindAt(text, at, isBig) === "blank") at = before(text, at);
  const kind = kindAt(text, at, isBig);
  while (at > 0 && kindAt(text, before(text, at), isBig) === kind) at = before(text, at);
  return at;
}

/** The last character of the word at or after the next position. */
function wordEnd(text: string, from: number, isBig: boolean): number {
  let at = after(text, from);
  while (at < text.length && kindAt(text, at, isBig) === "blank") at = after(text, at);
  const kind = kindAt(text, at, isBig);
  for (let next = after(text, at); next < text.length && kindAt(text, next, isBig) === kind; next = after(text, at))
    at = next;
  return Math.min(at, before(text, text.length));
}

function repeated(step: (text: string, at: number) => number, more: Omit<Motion, "to"> = {}): Move {
  return (text, at, count) => {
    let to = at;
    for (let times = 0; times < count; times++) to = step(text, to);
    return { to, ...more };
  };
}

const moves: Readonly<Record<string, Move>> = {
  h: repeated((text, at) => (at > lineStart(text, at) ? before(text, at) : at)),
  l: repeated((text, at) => (at < lineEnd(text, at) ? after(text, at) : at)),
  " ": repeated((text, at) => (at < lineEnd(text, at) ? after(text, at) : at)),
  w: repeated((text, at) => nextWordStart(text, at, false)),
  W: repeated((text, at) => nextWordStart(text, at, true)),
  b: repeated((text, at) => wordStart(text, at, false)),
  B: repeated((text, at) => wordStart(text, at, true)),
  e: repeated((text, at) => wordEnd(text, at, false), { isInclusive: true }),
  E: repeated((text, at) => wordEnd(text, at, true), { isInclusive: true }),
  "0": (text, at) => ({ to: lineStart(text, at) }),
  "^": (text, at) => ({ to: firstOfLine(text, at) }),
  $: (text, at) => ({ to: lineEnd(text, at) }),
  gg: (text, _at, count) => ({ to: firstOfLine(text, startOfLine(text, count)), isLines: true }),
  G: (text, _at, count, isCounted) => ({
    to: firstOfLine(text, isCounted ? startOfLine(text, count) : text.length),
    isLines: true,
  }),
  j: (text, at, count) => vertical(text, at, count),
  k: (text, at, count) => vertical(text, at, -count),
};

/** The same column some lines further down; undefined: there is no such line. */
function vertical(text: string, at: number, by: number): Motion | undefined {
  const column = at - lineStart(text, at);
  let start = lineStart(text, at);
  for (let times = 0; times < Math.abs(by); times++) {
    if (by < 0 && start === 0) return undefined;
    if (by > 0 && lineEnd(text, start) === text.length) return undefined;
    start = by < 0 ? lineStart(text, start - 1) : lineEnd(text, start) + 1;
  }
  return { to: Math.min(start + column, lineEnd(text, start)), isLines: true };
}

/** A search for a character in its line: `fx`, `Fx`, `tx`, `Tx`. */
function findMotion(text: string, at: number, [how = "", ...rest]: string, count: number): Motion | undefined {
  const wanted = rest.join("");
  const isForward = how === "f" || how === "t";
  let to = at;
  for (let times = 0; times < count; times++) {
    to = isForward ? text.indexOf(wanted, to + 1) : text.lastIndexOf(wanted, to - 1);
    if (to < lineStart(text, at) || to >= lineEnd(text, at)) return undefined;
  }
  if (how === "t") to = before(text, to);
  if (how === "T") to = after(text, to);
  return isForward ? { to, isInclusive: true } : { to };
}

const opposites: Readonly<Record<string, string>> = { f: "F", F: "f", t: "T", T: "t" };

/** Whether these keys are a motion, or the beginning of one. */
export function motionKeys(keys: string): "whole" | "more" | "none" {
  if (Object.hasOwn(moves, keys) || keys === ";" || keys === ",") return "whole";
  if (/^[fFtT]/.test(keys)) return keys.length > 1 ? "whole" : "more";
  return keys === "g" ? "more" : "none";
}

/** `last`: the search that `;` and `,` repeat. */
export type MotionStart = {
  readonly text: string;
  readonly at: number;
  readonly count: number | undefined;
  readonly last: string;
};

/** The target of a motion's keys; undefined: none. */
export function motionOf(keys: string, { text, at, count, last }: MotionStart): Motion | undefined {
  const times = count ?? 1;
  if (/^[fFtT]/.test(keys)) return findMotion(text, at, keys, times);
  if (keys === ";" || keys === ",") {
    if (last === "") return undefined;
    const again = keys === ";" ? last : `${opposites[last.slice(0, 1)] ?? ""}${last.slice(1)}`;
    // After `t`, the next match is the same character again.
    const from = again.startsWith("t") ? after(text, at) : again.startsWith("T") ? before(text, at) : at;
    return findMotion(text, from, again, times);
  }
  return moves[keys]?.(text, at, times, count !== undefined);
}

const pairs: Readonly<Record<string, readonly [string, string]>> = {
  "(": ["(", ")"],
  ")": ["(", ")"],
  b: ["(", ")"],
  "[": ["[", "]"],
  "]": ["[", "]"],
  "{": ["{", "}"],
  "}": ["{", "}"],
  B: ["{", "}"],
  "<": ["<", ">"],
  ">": ["<", ">"],
  '"': ['"', '"'],
  "'": ["'", "'"],
  "`": ["`", "`"],
};

/** The text object `iw`, `a"`, `i(` and so on at a position; undefined: there is none. */
export function objectAt(keys: string, text: string, at: number): { from: number; to: number } | undefined {
  const isInner = keys.startsWith("i");
  const what = keys.slice(1);
  if (what === "w" || what === "W") return wordAt(text, at, { isInner, isBig: what === "W" });
  const [open, close] = pairs[what] ?? [];
  if (open === undefined || close === undefined) return undefined;
  const range = open === close ? quotedAt(text, at, open) : bracketsAt(text, at, open, close);
  return range && (isInner ? { from: range.from + 1, to: range.to - 1 } : range);
}

function wordAt(text: string, at: number, { isInner, isBig }: { isInner: boolean; isBig: boolean }) {
  const kind = kindAt(text, at, isBig);
  const isSame = (place: number): boolean => text[place] !== "\n" && kindAt(text, place, isBig) === kind;
  let from = at;
  while (from > 0 && isSame(before(text, from))) from = before(text, from);
  let to = at;
  while (to < text.length && isSame(to)) to = after(text, to);
  if (!isInner) while (to < text.length && /[ \t]/.test(text[to] ?? "")) to += 1;
  return { from, to };
}

function quotedAt(text: string, at: number, quote: string): { from: number; to: number } | undefined {
  const [start, end] = [lineStart(text, at), lineEnd(text, at)];
  for (let from = text.indexOf(quote, start); from >= 0 && from < end; ) {
    const to = text.indexOf(quote, from + 1);
    if (to < 0 || to >= end) return undefined;
    if (at <= to) return { from, to: to + 1 };
    from = text.indexOf(quote, to + 1);
  }
  return undefined;
}

function bracketsAt(text: string, at: number, open: string, close: string): { from: number; to: number } | undefined {
  let depth = 0;
  let from = at;
  for (; from >= 0; from--) {
    if (text[from] === close && from !== at) depth += 1;
    else if (text[from] === open && depth-- === 0) break;
  }
  if (from < 0) return undefined;
  depth = 0;
  for (let to = from; to < text.length; to++) {
    if (text[to] === open) depth += 1;
    else if (text[to] === close && --depth === 0) return { from, to: to + 1 };
  }
  return undefined;
}
