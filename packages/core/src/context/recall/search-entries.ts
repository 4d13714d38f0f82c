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

type Match = { entry: PastEntry; text: string; counts: number[] };

/**
 * Full-text search over entries, best first: more matching words rank higher, rare words count more than common ones,
 * and a verbatim match of the whole query ranks first. The newest wins a tie.
 */
export function searchEntries(entries: readonly PastEntry[], query: string): SearchHit[] {
  const wanted = plain(query);
  const terms = [...new Set(wanted.split(" ").filter((term) => term !== ""))].slice(0, MAX_TERMS);
  if (terms.length === 0) return [];
  const matches = entries.flatMap((entry): Match[] => {
    const text = entry.text.toLowerCase();
    const counts = terms.map((term) => occurrences(text, term));
    return counts.some((count) => count > 0) ? [{ entry, text, counts }] : [];
  });
  const weights = terms.map((_, at) => {
    const having = matches.filter(({ counts }) => (counts[at] ?? 0) > 0).length;
    return Math.log(1 + entries.length / Math.max(1, having));
  });
  return matches
    .map((match) => ({ match, score: scoreOf(match, weights, wanted) }))
    .sort((a, b) => b.score - a.score || b.match.entry.seq - a.match.entry.seq)
    .map(({ match }) => ({ entry: match.entry, excerpt: excerptOf(match, terms, weights) }));
}

function scoreOf({ entry, text, counts }: Match, weights: readonly number[], wanted: string): number {
  const words = counts.reduce(
    (sum, count, at) => sum + (count > 0 ? (1 + Math.log(count)) * (weights[at] ?? 0) : 0),
    0,
  );
  const share = counts.filter((count) => count > 0).length / counts.length;
  const isWhole = wanted.includes(" ") && text.replace(/\s+/gu, " ").includes(wanted);
  const weight = (isWhole ? 2 : 1) * (entry.kind === "summary" ? SUMMARY_WEIGHT : 1);
  return (words * share * weight) / (1 + Math.log10(1 + text.length / USUAL_CHARS));
}

/** The text around the rarest matching word. */
function excerptOf({ entry, text, counts }: Match, terms: readonly string[], weights: readonly number[]): string {
  const best = terms
    .map((term, at) => ({ term, weight: (counts[at] ?? 0) > 0 ? (weights[at] ?? 0) : -1 }))
    .reduce((a, b) => (b.weight > a.weight ? b : a));
  const from = Math.max(0, text.indexOf(best.term) - BEFORE_CHARS);
  const part = entry.text
    .slice(from, from + EXCERPT_CHARS)
    .toWellFormed()
    .replace(/\s+/gu, " ")
    .trim();
  return `${from > 0 ? "…" : ""}${part}${from + EXCERPT_CHARS < entry.text.length ? "…" : ""}`;
}

function occurrences(text: string, term: string): number {
  let count = 0;
  for (let at = text.indexOf(term); at >= 0 && count < 100; at = text.indexOf(term, at + term.length)) count += 1;
  return count;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/gu, " ").trim();
}
