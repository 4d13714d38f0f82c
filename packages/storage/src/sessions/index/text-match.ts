import { type SearchTerm, searchedWords, termPlaces } from "./search-words.ts";

const EXCERPT_CHARS = 300;
/** How many characters an excerpt shows before the first matching word. */
const BEFORE_CHARS = 80;
/** Longer texts score lower, because they contain more words by chance. */
const USUAL_WORDS = 60;

/** How well a text matches: its number of matching terms, and a score comparable to BM25. */
export type TextMatch = { terms: number; score: number; at: number };

/** Undefined if it has none of the terms. */
export function textMatch(text: string, terms: readonly SearchTerm[]): TextMatch | undefined {
  const words = searchedWords(text);
  const places = terms.map((term) => termPlaces(term, words));
  const isWhole = terms.map((term) => term.isBegin && termPlaces({ ...term, isBegin: false }, words).length > 0);
  const found = places.filter((each) => each.length > 0);
  if (found.length === 0) return undefined;
  const long = 0.25 + 0.75 * (words.length / USUAL_WORDS);
  const score = places.reduce(
    (sum, { length }, term) => sum + ((isWhole[term] ? 2 : 1) * length * 2.2) / (length + 1.2 * long),
    0,
  );
  return { terms: found.length, score, at: densest(places) };
}

/** The start of the passage, of an excerpt's length, with the most terms. */
function densest(places: readonly number[][]): number {
  const all = places.flatMap((each, term) => each.slice(0, 50).map((at) => ({ at, term }))).sort((a, b) => a.at - b.at);
  let best = { at: all[0]?.at ?? 0, terms: 0 };
  for (const { at } of all) {
    const near = all.filter((each) => each.at >= at && each.at < at + EXCERPT_CHARS - BEFORE_CHARS);
    const terms = new Set(near.map(({ term }) => term)).size;
    if (terms > best.terms) best = { at, terms };
  }
  return best.at;
}

/** The text around an offset, as one line. */
export function excerptAt(text: string, at: number): string {
  const from = at <= BEFORE_CHARS ? 0 : at - BEFORE_CHARS;
  const part = text
    .slice(from, from + EXCERPT_CHARS)
    .toWellFormed()
    .replace(/\s+/gu, " ")
    .trim();
  return `${from > 0 ? "…" : ""}${part}${from + EXCERPT_CHARS < text.length ? "…" : ""}`;
}
