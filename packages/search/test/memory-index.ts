import type { IndexedChunk } from "../src/chunks/chunker.ts";
import type { IndexReader, QueryWord, StoredChunk, WordHits } from "../src/store/index-store.ts";
import { lengthNorms } from "../src/words/length-norms.ts";
import { WordScorer } from "../src/words/word-score.ts";
import { wordScoring } from "../src/words/word-scoring.ts";
import { memoryPostings } from "./memory-postings.ts";

export type MemoryFile = { path: string; language: string; chunks: readonly Omit<IndexedChunk, "digest">[] };

/** An index in memory, for reading. */
export class MemoryIndex implements IndexReader {
  readonly #files: readonly MemoryFile[];
  readonly #chunks: StoredChunk[] = [];
  readonly #fileOf: Uint32Array;
  readonly #scorer: WordScorer;
  readonly #definitions = new Map<string, { name: string; chunk: number }[]>();

  constructor(files: readonly MemoryFile[]) {
    this.#files = files;
    for (const { path, language, chunks } of files)
      for (const { words: _, ...chunk } of chunks) {
        const id = this.#chunks.length;
        this.#chunks.push({ ...chunk, id, path, language });
        for (const name of chunk.names) {
          const known = this.#definitions.get(name.toLowerCase()) ?? [];
          this.#definitions.set(name.toLowerCase(), [...known, { name, chunk: id }]);
        }
      }
    const postings = memoryPostings(files.map(({ chunks }) => chunks.map(({ words }) => words)));
    this.#fileOf = postings.files;
    this.#scorer = new WordScorer(postings, lengthNorms(postings, wordScoring));
  }

  async counts() {
    return { files: this.#files.length, chunks: this.#chunks.length, fallbacks: 0 };
  }

  async searchWords(words: readonly QueryWord[], limit: number): Promise<WordHits> {
    const { chunks, files } = this.#scorer.score(words, { saturation: wordScoring.saturation, limit });
    const path = (file: number | undefined) => this.#files[file ?? -1]?.path ?? "";
    return {
      chunks: chunks.map(({ number, score }) => ({ chunk: number, path: path(this.#fileOf[number]), score })),
      files: files.map(({ number, score }) => ({ path: path(number), score })),
    };
  }

  async searchSymbols(name: string, { limit }: { limit: number }) {
    const known = this.#definitions.get(name.toLowerCase()) ?? [];
    return known.toSorted((a, b) => Number(b.name === name) - Number(a.name === name)).slice(0, limit);
  }

  async nearest() {
    return [];
  }

  async chunks(ids: readonly (number | string)[]): Promise<StoredChunk[]> {
    return ids.flatMap((id) => this.#chunks[Number(id)] ?? []);
  }

  async fileChunks(path: string): Promise<StoredChunk[]> {
    return this.#chunks.filter((chunk) => chunk.path === path);
  }
}
