import { anyOfName, type WildPart } from "@harness/gate";

/** The meaning of an opening bracket without a closing one. */
type OpenBracket = "itself" | "nothing";

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the class is made of them.
  cntrl: /[\u0000-\u001f\u007f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/**
 * The parts of a pattern as git and shells write it, for paths separated by slashes: `*` and `?` within a name, `**` as
 * a whole name for any folders, `[a-z]`, and `\` before a literal character. Undefined: it matches nothing.
 */
export function globParts(pattern: string, openBracket: OpenBracket): WildPart[] | undefined {
  const parts: WildPart[] = [];
  for (let at = 0; at < pattern.length; ) {
    const isNameStart = at === 0 || pattern[at - 1] === "/";
    const stars = /^\*+/.exec(pattern.slice(at, at + 3))?.[0] ?? "";
    const char = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
    if (stars !== "") {
      let end = at;
      while (pattern[end] === "*") end += 1;
      const isWhole = isNameStart && stars.length > 1;
      if (isWhole && pattern[end] === "/") parts.push({ kind: "folders" });
      else if (isWhole && end === pattern.length) parts.push(anything, { kind: "run", within: false });
      else parts.push({ kind: "run", within: true });
      at = isWhole && pattern[end] === "/" ? end + 1 : end;
    } else if (char === "\\") {
      const escaped = pattern.codePointAt(at + 1);
      if (escaped === undefined) return undefined;
      const literal = String.fromCodePoint(escaped);
      parts.push({ kind: "one", fits: literal });
      at += 1 + literal.length;
    } else {
      const set = char === "[" ? bracket(pattern, at) : undefined;
      if (char === "[" && !set && openBracket === "nothing") return undefined;
      parts.push({ kind: "one", fits: set ? set.fits : char === "?" ? anyOfName : char });
      at = set ? set.end : at + char.length;
    }
  }
  return parts;
}

const anything: WildPart = { kind: "one", fits: () => true };

type Bracket = { fits: (char: string) => boolean; end: number };

/** Longer sets do not count: a pattern of only opening brackets would be read to its end at each of them. */
const MAX_BRACKET = 256;

/** The set that begins at `start`; undefined: it is not closed, or names an unknown class. */
function bracket(pattern: string, start: number): Bracket | undefined {
  const isNegated = "!^".includes(pattern[start + 1] ?? " ");
  const first = start + (isNegated ? 2 : 1);
  const members: ((char: string) => boolean)[] = [];
  const last = Math.min(pattern.length, start + MAX_BRACKET);
  for (let at = first; at < last; ) {
    if (pattern[at] === "]" && at > first) {
      const fits = (char: string) => char !== "/" && members.some((member) => member(char)) !== isNegated;
      return { fits, end: at + 1 };
    }
    const name = pattern.startsWith("[:", at) ? /^\[:([^\]]{0,10}):\]/.exec(pattern.slice(at, at + 16)) : null;
    if (name) {
      const known = CLASSES[name[1] ?? ""];
      if (!known) return undefined;
      members.push((char) => known.test(char));
      at += name[0].length;
      continue;
    }
    const from = member(pattern, at);
    const isRange = pattern[from.end] === "-" && pattern[from.end + 1] !== "]" && from.end + 1 < pattern.length;
    const to = isRange ? member(pattern, from.end + 1) : from;
    members.push((char) => char === from.char || (isOne(char) && from.char <= char && char <= to.char));
    at = to.end;
  }
  return undefined;
}

function member(pattern: string, at: number): { char: string; end: number } {
  const start = pattern[at] === "\\" ? at + 1 : at;
  const char = String.fromCodePoint(pattern.codePointAt(start) ?? 0);
  return { char, end: start + char.length };
}

/** Characters outside the BMP are compared by surrogates, which have a different order. */
function isOne(char: string): boolean {
  return char.length === 1;
}
