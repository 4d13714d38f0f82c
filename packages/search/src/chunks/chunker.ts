import type { FieldWords } from "../words/word-fields.ts";
import type { Chunk, FileChunks } from "./chunk.ts";

export type IndexedChunk = Chunk & {
  words: FieldWords;
  /** SHA-256 of the text that is embedded, in hex: equal chunks share a vector. */
  digest: string;
};

/** A file in chunks, with the words and the digest of each. */
export type SourceChunks = Omit<FileChunks, "chunks"> & { chunks: IndexedChunk[] };

/** Cuts files into chunks; answers in their order, and never rejects. */
export interface Chunker {
  chunk(files: readonly { path: string; text: string }[]): Promise<SourceChunks[]>;
}
