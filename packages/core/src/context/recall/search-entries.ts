import type { PastEntry } from "./past-entries.ts";

/** A matching entry, with the matching part of it. */
type SearchHit = { entry: PastEntry; excerpt: string };

const MAX_TERMS = 20;
const EXCERPT_CHARS = 300;
/** Characters that an excerpt shows before the matching word. */
const BEFORE_CHARS = 80;
/** Longer entries count for less, because they contain more words by accident. */
const USUAL_CHARS = 2_000;
/** A summary only repeats what others said. */
const SUMMARY_WEIGHT = 0.3;

/** The rank of an entry, without its text: a session may have more than fits in memory. */
type Match = { seq: number; counts: number[]; base: number };

/** The best hits, and how many entries match. */
export type EntrySearch = { hits: SearchHit[]; count: number };

type SearchTerms = { terms: readonly string[]; weights: readonly number[] };

/**
 * Full-text search over entries, best first: more matching words rank higher, rare words count more than common ones,
 * and a verbatim match of the whole query ranks first. The newest wins a tie. The entries are iterated twice.
 */
export function searchEntries(entries: Iterable<PastEntry>, query: string, limit: number): EntrySearch {
  const wanted = plain(query);
  const terms = [...new Set(wanted.split(" ").filter((term) => term !== ""))].slice(0, MAX_TERMS);
  if (terms.length === 0) return { hits: [], count: 0 };
  const matches: Match[] = [];
  let total = 0;
  for (const entry of entries) {
    total += 1;
    const match = matchOf(entry, terms, wanted);
    if (match) matches.push(match);
  }
  const weights = terms.map((_, at) => {
    const having = matches.filter(({ counts }) => (counts[at] ?? 0) > 0).length;
    return Math.log(1 + total / Math.max(1, having));
  });
  const best = matches
    .map((match) => ({ match, score: scoreOf(match, weights) }))
    .sort((a, b) => b.score - a.score || b.match.seq - a.match.seq)
    .slice(0, limit)
    .map(({ match }) => match);
  return { hits: hitsOf(entries, best, { terms, weights }), count: matches.length };
}

function matchOf({ seq, kind, text: whole }: PastEntry, terms: readonly string[], wanted: string): Match | undefined {
  const text = whole.toLowerCase();
  const counts = terms.map((term) => occurrences(text, term));
  if (!counts.some((count) => count > 0)) return undefined;
  const isWhole = wanted.includes(" ") && text.replace(/\s+/gu, " ").includes(wanted);
  const weight = (isWhole ? 2 : 1) * (kind === "summary" ? SUMMARY_WEIGHT : 1);
  return { seq, counts, base: weight / (1 + Math.log10(1 + text.length / USUAL_CHARS)) };
}

function scoreOf({ counts, base }: Match, weights: readonly number[]): number {
  const words = counts.reduce(
    (sum, count, at) => sum + (count > 0 ? (1 + Math.log(count)) * (weights[at] ?? 0) : 0),
    0,
  );
  const share = counts.filter((count) => count > 0).length / counts.length;
  return words * share * base;
}

/** The matching entries again, in the order of the matches. */
function hitsOf(entries: Iterable<PastEntry>, matches: readonly Match[], terms: SearchTerms): SearchHit[] {
  const counts = new Map(matches.map((match) => [match.seq, match.counts]));
  const hits = new Map<number, SearchHit>();
  if (counts.size === 0) return [];
  for (const entry of entries) {
    const inText = counts.get(entry.seq);
    if (inText) hits.set(entry.seq, { entry, excerpt: excerptOf(entry.text, inText, terms) });
  }
  return matches.flatMap(({ seq }) => hits.get(seq) ?? []);
}

/** The text around the rarest matching word. */
function excerptOf(text: string, counts: readonly number[], { terms, weights }: SearchTerms): string {
  const best = terms
    .map((term, at) => ({ term, weight: (counts[at] ?? 0) > 0 ? (weights[at] ?? 0) : -1 }))
    .reduce((a, b) => (b.weight > a.weight ? b : a));
  const from = Math.max(0, text.toLowerCase().indexOf(best.term) - BEFORE_CHARS);
  const part = text
    .slice(from, from + EXCERPT_CHARS)
    .toWellFormed()
    .replace(/\s+/gu, " ")
    .trim();
  return `${from > 0 ? "…" : ""}${part}${from + EXCERPT_CHARS < text.length ? "…" : ""}`;
}

function occurrences(text: string, term: string): number {
  let count = 0;
  for (let at = text.indexOf(term); at >= 0 && count < 100; at = text.indexOf(term, at + term.length)) count += 1;
  return count;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/gu, " ").trim();
}
