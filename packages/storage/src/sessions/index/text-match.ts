import { type SearchTerm, searchedWords, termPlaces } from "./search-words.ts";

const EXCERPT_CHARS = 300;
/** Characters that an excerpt shows before the first matching word. */
const BEFORE_CHARS = 80;
/** Longer texts count for less, because they have more words by accident. */
const USUAL_WORDS = 60;

/** How a text matches: how many of the terms it has, and how well, in the order of magnitude of BM25. */
export type TextMatch = { terms: number; score: number; at: number };

/** Undefined: it has none of the terms. */
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

/** Where a passage of an excerpt's length has the most of the terms. */
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

/** One line of the text, around a place in it. */
export function excerptAt(text: string, at: number): string {
  const from = at <= BEFORE_CHARS ? 0 : at - BEFORE_CHARS;
  const part = text
    .slice(from, from + EXCERPT_CHARS)
    .toWellFormed()
    .replace(/\s+/gu, " ")
    .trim();
  return `${from > 0 ? "…" : ""}${part}${from + EXCERPT_CHARS < text.length ? "…" : ""}`;
}
