import type { PostingLists } from "./posting-lists.ts";
import { type WordField, wordFields } from "./word-fields.ts";

const FIELDS = wordFields.length;
/** All chunks of a file have the same words of the path. */
export const PATH_FIELD = wordFields.indexOf("path");

/** How much an occurrence in a field counts, and how much a long field lessens it, from 0 to 1: BM25F's w and b. */
export type FieldScoring = Readonly<Record<WordField, { weight: number; slope: number }>>;

/** The facts that scores need of all chunks and files: kept as long as the index is the same. */
export type LengthNorms = {
  fileCount: number;
  /** Chunks and files that are not removed. */
  liveChunks: number;
  liveFiles: number;
  /** Four for each chunk and each file: what an occurrence in this field counts. */
  chunkNorms: Float32Array;
  fileNorms: Float32Array;
};

export function lengthNorms(lists: PostingLists, scoring: { chunk: FieldScoring; file: FieldScoring }): LengthNorms {
  const { chunkCount, files, lengths } = lists;
  let fileCount = 0;
  for (let chunk = 0; chunk < chunkCount; chunk += 1) fileCount = Math.max(fileCount, (files[chunk] ?? 0) + 1);
  const fileLengths = new Float64Array(fileCount * FIELDS);
  for (let chunk = 0; chunk < chunkCount; chunk += 1)
    for (let field = 0; field < FIELDS; field += 1) {
      const at = (files[chunk] ?? 0) * FIELDS + field;
      const length = lengths[chunk * FIELDS + field] ?? 0;
      fileLengths[at] = field === PATH_FIELD ? Math.max(fileLengths[at] ?? 0, length) : (fileLengths[at] ?? 0) + length;
    }
  const chunk = normsOf(lengths, scoring.chunk);
  const file = normsOf(fileLengths, scoring.file);
  return {
    fileCount,
    liveChunks: chunk.live,
    liveFiles: file.live,
    chunkNorms: chunk.norms,
    fileNorms: file.norms,
  };
}

function normsOf(lengths: Uint16Array | Float64Array, scoring: FieldScoring): { norms: Float32Array; live: number } {
  const sums = new Float64Array(FIELDS);
  let live = 0;
  for (let at = 0; at < lengths.length; at += FIELDS) {
    if (lengths[at + PATH_FIELD] === 0) continue;
    live += 1;
    for (let field = 0; field < FIELDS; field += 1) sums[field] = (sums[field] ?? 0) + (lengths[at + field] ?? 0);
  }
  const norms = new Float32Array(lengths.length);
  for (const [field, name] of wordFields.entries()) {
    const { weight, slope } = scoring[name];
    const average = Math.max((sums[field] ?? 0) / Math.max(live, 1), Number.EPSILON);
    for (let at = field; at < lengths.length; at += FIELDS)
      norms[at] = weight / (1 - slope + (slope * (lengths[at] ?? 0)) / average);
  }
  return { norms, live };
}
