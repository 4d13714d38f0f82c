import { binaryCode, nearestCodes } from "./binary-codes.ts";
import { packedProduct } from "./vector-blob.ts";

/** The codes of all vectors, and a way to the vectors themselves, which need not be in memory. */
export type CodedVectors = {
  mean: Float32Array;
  codes: Uint32Array;
  /** Leaves out a place; absent: all count. */
  isLive?(place: number): boolean;
  /** As `packVector` made it. */
  packed(place: number): Uint8Array | undefined;
};

/** `score`: the cosine. */
export type NearVector = { place: number; score: number };

/** Candidates for each hit that are scored exactly: nearly all of the best are among them. */
const CANDIDATES_PER_HIT = 8;
const MIN_CANDIDATES = 200;

/** The vectors nearest to a query of length 1, the best first: roughly by their codes, then exactly. */
export function nearestVectors(vectors: CodedVectors, query: Float32Array, limit: number): NearVector[] {
  const code = binaryCode(query, vectors.mean);
  const count = Math.max(MIN_CANDIDATES, limit * CANDIDATES_PER_HIT);
  const isLive = vectors.isLive && ((place: number) => vectors.isLive?.(place) ?? true);
  return nearestCodes(vectors.codes, code, count, isLive)
    .flatMap((place) => {
      const bytes = vectors.packed(place);
      const score = bytes && packedProduct(query, bytes);
      return score === undefined ? [] : [{ place, score }];
    })
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, limit);
}
