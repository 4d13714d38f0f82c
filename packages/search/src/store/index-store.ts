import type { Chunk, FileChunks } from "../chunks/chunk.ts";
import type { IndexedChunk } from "../chunks/chunker.ts";

/** A file as it was when it was indexed. */
export type FileState = {
  /** Relative to the folder of the index, with `/`. */
  path: string;
  /** SHA-256 of its content, in hex. */
  digest: string;
  sizeBytes: number;
  mtimeMs: number;
};

/** `chunks`: none for a file whose text is not searched, because it is binary or too large. */
export type IndexedFile = FileState & Omit<FileChunks, "chunks"> & { chunks: IndexedChunk[] };

/**
 * All or none of it is stored. Files in `put` replace those of their paths; `touched`: files whose content is as before.
 */
export type FileChanges = { put: readonly IndexedFile[]; touched: readonly FileState[]; removed: readonly string[] };

/** Numbers and texts are the store's own, and hold until its files change. */
export type ChunkId = number | string;
export type ScoredChunk = { chunk: ChunkId; path: string; score: number };
type ScoredFile = { path: string; score: number };

/** The best first; scores are comparable within one list. */
export type WordHits = { chunks: ScoredChunk[]; files: ScoredFile[] };

/** A word of a query as `wordsOf` writes it. `weight`: 1 for a word that the person typed. */
export type QueryWord = { word: string; weight: number };

export type StoredChunk = Chunk & { id: ChunkId; path: string; language: string };

export type SymbolHit = { name: string; chunk: ChunkId };

export type IndexCounts = {
  files: number;
  chunks: number;
  /** Files that have a grammar but are not read by it. */
  fallbacks: number;
};

/** The part of a store that ranking asks. Methods reject with a sentence for people if the store cannot answer. */
export interface IndexReader {
  counts(): Promise<IndexCounts>;
  /** By BM25 over the fields of chunks, and of whole files. */
  searchWords(words: readonly QueryWord[], limit: number): Promise<WordHits>;
  /** Definitions of this name, first those in the same case; with `isPart` also names that contain it. */
  searchSymbols(name: string, options: { limit: number; isPart: boolean }): Promise<SymbolHit[]>;
  /** The chunks nearest to a vector of the current embedder. */
  nearest(vector: Float32Array, limit: number): Promise<ScoredChunk[]>;
  /** In the order of the ids; those that no longer exist are left out. */
  chunks(ids: readonly ChunkId[]): Promise<StoredChunk[]>;
  /** The chunks of a file in their order; none if it is not in the index. */
  fileChunks(path: string): Promise<StoredChunk[]>;
}

/** The index of one folder. One process writes at a time; others read meanwhile. */
export interface IndexStore extends IndexReader {
  /** The files that it has, by path. */
  files(): Promise<Map<string, FileState>>;
  /** Stored when it resolves. */
  write(changes: FileChanges): Promise<void>;
  /** A step of tidying that makes searches faster; true if there is more to do. */
  tidy(): Promise<boolean>;
  close(): Promise<void>;
}
