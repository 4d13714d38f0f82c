import type { StoredChunk } from "../store/index-store.ts";
import { wordsOf } from "../words/words.ts";

/** The share of words that two chunks have in common, from which one of them is enough. */
const ALIKE = 0.9;
/** Short chunks are alike by chance. */
const FEWEST_WORDS = 12;

/** Leaves out chunks that say what a better one says, such as vendored copies. */
export function withoutDuplicates<T extends { chunk: Pick<StoredChunk, "text"> }>(ranked: readonly T[]): T[] {
  const kept: { item: T; words: ReadonlySet<string> }[] = [];
  for (const item of ranked) {
    const words = new Set(wordsOf(item.chunk.text));
    const isKnown = words.size >= FEWEST_WORDS && kept.some((other) => areAlike(words, other.words));
    if (!isKnown) kept.push({ item, words });
  }
  return kept.map(({ item }) => item);
}

function areAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  if (small.size < ALIKE * large.size) return false;
  let common = 0;
  for (const word of small) if (large.has(word)) common += 1;
  return common >= ALIKE * (a.size + b.size - common);
}
