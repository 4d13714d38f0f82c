import type { StoredChunk } from "../store/index-store.ts";
import { wordsOf } from "../words/words.ts";
import type { SearchQuestion } from "./question.ts";

/** A word in the name of a definition counts like several in its text. */
const NAME_WEIGHT = 2;
/** Looking for words in the text of a large file takes time. */
const MAX_CHUNKS = 50;

/** The chunk of a file that has most words of the question, or its first definition. Empty if the file has none. */
export function bestChunk(chunks: readonly StoredChunk[], { words }: SearchQuestion): StoredChunk[] {
  const weights = new Map(words.map(({ word, weight }) => [word, weight]));
  let best: { chunk: StoredChunk; score: number } | undefined;
  for (const chunk of chunks.slice(0, MAX_CHUNKS)) {
    const names = new Set(wordsOf(chunk.names.join(" ")));
    const texts = new Set(wordsOf(chunk.text));
    let score = chunk.names.length > 0 ? 0.1 : 0;
    for (const [word, weight] of weights)
      score += (names.has(word) ? NAME_WEIGHT * weight : 0) + (texts.has(word) ? weight : 0);
    if (!best || score > best.score) best = { chunk, score };
  }
  return best ? [best.chunk] : [];
}
