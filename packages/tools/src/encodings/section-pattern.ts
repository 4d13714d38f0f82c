import { expandBraces } from "../text/brace-expansion.ts";

const MAX_CHARS = 1000;
const MAX_ALTERNATIVES = 1000;

/**
 * One position of a pattern: a character, a character set, or any number of characters, with `deep` including slashes.
 */
type Token = { is: (character: string) => boolean } | { deep: boolean };

/**
 * True if a section of `.editorconfig` applies to a path, relative to the folder of that file. A pattern without a
 * slash matches in every folder below. The time is the product of both lengths for any pattern, since strangers may
 * write them.
 */
export function globMatches(section: string, path: string): boolean {
  if (section.length > MAX_CHARS) return false;
  return (expandBraces(section, MAX_ALTERNATIVES) ?? []).some((pattern) => {
    const anchored = pattern.includes("/") ? pattern.replace(/^\//, "") : `**/${pattern}`;
    // `**/` may also match no folder at all.
    const direct = anchored.replace(/^\*\*\//, "").replaceAll("/**/", "/");
    return [anchored, direct].some((each) => fits(tokensOf(each), path));
  });
}

function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at);
    const set = /^\[(!?)([^\]/]+)\]/.exec(rest);
    const stars = /^\*+/.exec(rest)?.[0].length ?? 0;
    if (stars > 0) tokens.push({ deep: stars > 1 });
    else if (set) tokens.push({ is: inSet(set[2] ?? "", set[1] === "!") });
    else if (rest.startsWith("?")) tokens.push({ is: (character) => character !== "/" });
    else {
      const literal = rest.startsWith("\\") && rest.length > 1 ? rest[1] : rest[0];
      tokens.push({ is: (character) => character === literal });
    }
    at += stars || set?.[0].length || (rest.startsWith("\\") && rest.length > 1 ? 2 : 1);
  }
  return tokens;
}

function inSet(set: string, isNegated: boolean): (character: string) => boolean {
  const within = (character: string) =>
    set.split("").some((from, at) => {
      const to = set[at + 1] === "-" ? set[at + 2] : undefined;
      return character === from || (to !== undefined && from <= character && character <= to);
    });
  return (character) => character !== "/" && within(character) !== isNegated;
}

/** For each character of the path, tracks all positions of the pattern that may come next. */
function fits(tokens: readonly Token[], path: string): boolean {
  let places = reachablePlaces(tokens, new Set([0]));
  for (const character of path) {
    const next = new Set<number>();
    for (const place of places) {
      const token = tokens[place];
      if (token === undefined) continue;
      if ("is" in token) {
        if (token.is(character)) next.add(place + 1);
      } else if (token.deep || character !== "/") next.add(place);
    }
    places = reachablePlaces(tokens, next);
  }
  return places.has(tokens.length);
}

/** Includes the positions after stars, which may match nothing. */
function reachablePlaces(tokens: readonly Token[], places: Set<number>): Set<number> {
  for (const place of places) {
    const token = tokens[place];
    if (token && "deep" in token) places.add(place + 1);
  }
  return places;
}
