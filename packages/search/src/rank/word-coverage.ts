import type { StoredChunk } from "../store/index-store.ts";
import { wordsOf } from "../words/words.ts";
import { readQuestion } from "./question.ts";

/** How many of the best results may have the words. */
const LOOKED_AT = 3;

/** The share of a query's words that a good result has, from 0 to 1: by it the results of several indexes compare. */
export function wordCoverage(query: string, ranked: readonly StoredChunk[]): number {
  const { typed } = readQuestion(query);
  if (typed.size === 0) return 1;
  const shares = ranked.slice(0, LOOKED_AT).map(({ path, names, text }) => {
    const there = new Set(wordsOf(`${path} ${names.join(" ")} ${text}`));
    return [...typed.keys()].filter((word) => there.has(word)).length / typed.size;
  });
  return Math.max(0, ...shares);
}
