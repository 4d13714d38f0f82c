import { dependsOnRun } from "../findings/found-command.ts";
import type { ShellWord } from "../ports/shell-grammar.ts";

/**
 * The possible values of a word. `names`: exact values; `patterns`: with `*` and `?` for parts known only at run time;
 * `isOpen`: anything.
 */
export type Expansion = { names: string[]; patterns: string[]; isOpen: boolean };

const MAX_TEXTS = 64;
/** Known only at run time, but always a number. */
const numbers = /\$(?:[?#$!]|\{#\w+\}|\(\([^()]*\)\))/g;

/** Braces and brackets are expanded as a shell does; an extended pattern may match anything. */
export function expandWord({ text, literal }: ShellWord): Expansion {
  const none = { names: [], patterns: [] };
  if (literal) return { names: [text], patterns: [], isOpen: false };
  const known = text.replace(numbers, "*");
  if (dependsOnRun(known) || /[@+!?*]\(|^~[^/]|\{\}/.test(known)) return { ...none, isOpen: true };
  const found = withoutBraces(known)?.flatMap(withoutBrackets);
  if (!found || found.length > MAX_TEXTS) return { ...none, isOpen: true };
  const texts = [...new Set(found)];
  const [names, patterns] = [texts.filter((each) => !/[*?]/.test(each)), texts.filter((each) => /[*?]/.test(each))];
  return { names, patterns, isOpen: false };
}

/** Expands `a{b,c}` to both; a range such as `{1..3}` becomes a pattern. Undefined: too many. */
function withoutBraces(text: string): string[] | undefined {
  let texts = [text];
  for (let round = 0; round < MAX_TEXTS; round += 1) {
    const at = texts.findIndex((each) => listIn(each) !== undefined);
    const [each = "", list = ""] = at < 0 ? [] : [texts[at], listIn(texts[at] ?? "")];
    if (list === "") return texts;
    const parts = list.includes(",") ? list.slice(1, -1).split(",") : ["*"];
    texts = texts.toSpliced(at, 1, ...parts.map((part) => each.replace(list, () => part)));
    if (texts.length > MAX_TEXTS) return undefined;
  }
  return undefined;
}

/** The first innermost braces that stand for several texts. */
function listIn(text: string): string | undefined {
  for (const [braces] of text.matchAll(/\{[^{}]*\}/g)) if (/,|\.\./.test(braces)) return braces;
  return undefined;
}

/** `]` may come first inside the brackets, and occurs in `[:alpha:]` and the like. */
const bracketsIn = /\[([!^]?\]?(?:\[([:.=])[^\]]*?\2\]|[^\]])*)\]/;
const everyBrackets = new RegExp(bracketsIn, "g");

/** Expands `[ab]` to both; a range or a class becomes any character. */
function withoutBrackets(text: string): string[] {
  const [brackets, inside = ""] = bracketsIn.exec(text) ?? [];
  if (brackets === undefined) return [text];
  const isPlain = /^[^!^\-[:\]]{1,8}$/.test(inside);
  const signs = isPlain ? [...inside] : ["?"];
  return signs.slice(0, MAX_TEXTS).flatMap((sign) => {
    const next = text.replace(brackets, () => sign);
    return [next.replace(everyBrackets, "?")];
  });
}
