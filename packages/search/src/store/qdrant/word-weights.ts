import { createHash } from "node:crypto";
import type { IndexedChunk } from "../../chunks/chunker.ts";
import type { FieldScoring } from "../../words/length-norms.ts";
import { type WordField, wordFields } from "../../words/word-fields.ts";
import { wordScoring } from "../../words/word-scoring.ts";
import type { QueryWord } from "../index-store.ts";
import { fieldLengths, wordCounts } from "../word-counts.ts";

/** A sparse vector: numbers of words, and a weight for each. */
export type WordWeights = { indices: number[]; values: number[] };

/**
 * The usual lengths of fields, in words: BM25F compares with the mean of all chunks or files, but a vector that is
 * written once cannot follow it. These are the means of this repository.
 */
const usualLengths: { chunk: Readonly<Record<WordField, number>>; file: Readonly<Record<WordField, number>> } = {
  chunk: { name: 8, path: 7, comment: 4, body: 100 },
  file: { name: 40, path: 7, comment: 20, body: 480 },
};

/** BM25F but for the rarity of words, which the server multiplies them by (its modifier `idf`). */
export function chunkWeights({ words }: Pick<IndexedChunk, "words">): WordWeights {
  return weightsOf(wordCounts(words), fieldLengths(words), { scoring: wordScoring.chunk, usual: usualLengths.chunk });
}

/** Of a whole file. All its chunks have the same words of the path. */
export function fileWeights(chunks: readonly Pick<IndexedChunk, "words">[]): WordWeights {
  const counts = new Map<string, number[]>();
  const lengths = wordFields.map(() => 0);
  const add = (one: number, other: number, field: number) =>
    wordFields[field] === "path" ? Math.max(one, other) : one + other;
  for (const { words } of chunks) {
    for (const [field, length] of fieldLengths(words).entries())
      lengths[field] = add(lengths[field] ?? 0, length, field);
    for (const [word, own] of wordCounts(words)) {
      const known = counts.get(word);
      counts.set(word, known ? known.map((count, field) => add(count, own[field] ?? 0, field)) : own);
    }
  }
  return weightsOf(counts, lengths, { scoring: wordScoring.file, usual: usualLengths.file });
}

export function queryWeights(words: readonly QueryWord[]): WordWeights {
  return sparse(words.map(({ word, weight }) => [word, weight]));
}

function weightsOf(
  counts: ReadonlyMap<string, readonly number[]>,
  lengths: readonly number[],
  { scoring, usual }: { scoring: FieldScoring; usual: Readonly<Record<WordField, number>> },
): WordWeights {
  const norms = wordFields.map((name, field) => {
    const { weight, slope } = scoring[name];
    return weight / (1 - slope + (slope * (lengths[field] ?? 0)) / usual[name]);
  });
  return sparse(
    [...counts].map(([word, own]) => {
      const amount = own.reduce((sum, count, field) => sum + count * (norms[field] ?? 0), 0);
      return [word, amount / (wordScoring.saturation + amount)];
    }),
  );
}

/** Words with the same number, which are rare, count together: the server takes each number once. */
function sparse(weights: readonly (readonly [string, number])[]): WordWeights {
  const byNumber = new Map<number, number>();
  for (const [word, weight] of weights) {
    const number = wordNumber(word);
    byNumber.set(number, (byNumber.get(number) ?? 0) + weight);
  }
  return { indices: [...byNumber.keys()], values: [...byNumber.values()] };
}

const MAX_KNOWN = 100_000;
// Memo of a pure function: words repeat. Bounded by MAX_KNOWN.
const known = new Map<string, number>();

/** 32 bits of a hash: of a million words, about a hundred share a number. */
function wordNumber(word: string): number {
  const before = known.get(word);
  if (before !== undefined) return before;
  const number = createHash("sha256").update(word).digest().readUInt32LE(0);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(word, number);
  return number;
}
