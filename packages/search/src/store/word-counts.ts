import { type FieldWords, wordFields } from "../words/word-fields.ts";

const MAX_COUNT = 255;
const MAX_LENGTH = 65_535;

/** By word: how often it occurs in each of `wordFields`. */
export function wordCounts(words: FieldWords): Map<string, number[]> {
  const counts = new Map<string, number[]>();
  for (const [field, name] of wordFields.entries()) {
    for (const word of words[name]) {
      const own = counts.get(word) ?? wordFields.map(() => 0);
      own[field] = Math.min(MAX_COUNT, (own[field] ?? 0) + 1);
      counts.set(word, own);
    }
  }
  return counts;
}

/** The number of words in each of `wordFields`. */
export function fieldLengths(words: FieldWords): number[] {
  return wordFields.map((name) => Math.min(MAX_LENGTH, words[name].length));
}
