import type { EmbedderIdentity, VectorCollection, VectorStore } from "../../embed/vector-collection.ts";
import { lengthNorms } from "../../words/length-norms.ts";
import { WordScorer } from "../../words/word-score.ts";
import { wordScoring } from "../../words/word-scoring.ts";
import type { DefinitionReader } from "../definition-reader.ts";
import type {
  ChunkId,
  FileChanges,
  FileState,
  IndexCounts,
  IndexStore,
  QueryWord,
  ScoredChunk,
  StoredChunk,
  SymbolHit,
  WordHits,
} from "../index-store.ts";
import { ChunkTable } from "./chunk-table.ts";
import { ChunkVectors } from "./chunk-vectors.ts";
import { DatabaseFile } from "./database-file.ts";
import { PostingTable } from "./posting-table.ts";
import { StoredDefinitionReader } from "./stored-definition-reader.ts";
import { StoredPostingTable } from "./stored-posting-table.ts";

/** `fileOf`: by number of a chunk. */
type LoadedWords = { generation: number; scorer: WordScorer; fileOf: Uint32Array };

/**
 * An index in one file of SQLite: many processes read it, one writes. A method resolves once the
 * file has it; a power failure at worst loses the last batches.
 */
export class EmbeddedStore implements IndexStore, VectorStore {
  readonly #db: DatabaseFile;
  readonly #chunks: ChunkTable;
  readonly #postings: PostingTable;
  readonly #vectors: ChunkVectors;
  #loaded: LoadedWords | undefined;

  private constructor(db: DatabaseFile) {
    this.#db = db;
    this.#chunks = new ChunkTable(db);
    this.#postings = new PostingTable(db);
    this.#vectors = new ChunkVectors(db);
  }

  /** For the process that writes. Throws SQLite's and the file system's errors. */
  static make(path: string): EmbeddedStore {
    return new EmbeddedStore(DatabaseFile.make(path));
  }

  /** For reading; undefined if there is no index. */
  static find(path: string): EmbeddedStore | undefined {
    const db = DatabaseFile.find(path);
    return db && new EmbeddedStore(db);
  }

  async files(): Promise<Map<string, FileState>> {
    return this.#chunks.files();
  }

  async counts(): Promise<IndexCounts> {
    return this.#chunks.counts();
  }

  async write({ put, touched, removed }: FileChanges): Promise<void> {
    this.#db.write(() => {
      for (const state of touched) this.#chunks.touch(state);
      for (const path of removed) this.#chunks.remove(path);
      this.#postings.add(put.flatMap((file) => this.#chunks.put(file)));
      this.#advance();
    });
  }

  async tidy(): Promise<boolean> {
    return this.#db.write(() => {
      const isJoined = this.#postings.join();
      if (isJoined) this.#advance();
      return this.#vectors.tidy() || isJoined;
    });
  }

  async searchWords(words: readonly QueryWord[], limit: number): Promise<WordHits> {
    return this.#db.read(() => {
      const { scorer, fileOf } = this.#words();
      const { chunks, files } = scorer.score(words, { saturation: wordScoring.saturation, limit });
      const path = this.#pathReader();
      return {
        chunks: chunks.map(({ number, score }) => ({ chunk: number, path: path(fileOf[number] ?? -1), score })),
        files: files.map(({ number, score }) => ({ path: path(number), score })),
      };
    });
  }

  /** Reads the path of a file once. */
  #pathReader(): (file: number) => string {
    const select = this.#db.run("SELECT path FROM files WHERE id = ?");
    const known = new Map<number, string>();
    return (file) => {
      const path = known.get(file) ?? String(select.get(file)?.path ?? "");
      known.set(file, path);
      return path;
    };
  }

  async searchSymbols(name: string, options: { limit: number; isPart: boolean }): Promise<SymbolHit[]> {
    return this.#chunks.symbols(name, options);
  }

  async nearest(vector: Float32Array, limit: number): Promise<ScoredChunk[]> {
    return this.#db.read(() => {
      const near = this.#vectors.nearest(vector, limit);
      const path = this.#db.run("SELECT path FROM chunks JOIN files ON files.id = file WHERE chunks.id = ?");
      return near.map(({ chunk, score }) => ({ chunk, path: String(path.get(chunk)?.path ?? ""), score }));
    });
  }

  async collection(embedder: EmbedderIdentity & { dimensions: number }): Promise<VectorCollection> {
    return this.#vectors.collection(embedder);
  }

  async adopt(key: string): Promise<void> {
    this.#vectors.adopt(key);
  }

  async adopted(): Promise<EmbedderIdentity | undefined> {
    const { key, name } = this.#vectors.adopted() ?? {};
    return key === undefined || name === undefined ? undefined : { key, name };
  }

  async chunks(ids: readonly ChunkId[]): Promise<StoredChunk[]> {
    return this.#chunks.chunks(ids.map(Number));
  }

  async fileChunks(path: string): Promise<StoredChunk[]> {
    return this.#chunks.fileChunks(path);
  }

  /** For questions that are asked before the index changes again. Throws SQLite's errors. */
  definitions(): DefinitionReader {
    return new StoredDefinitionReader(this.#db);
  }

  async close(): Promise<void> {
    this.#loaded = undefined;
    this.#db.close();
  }

  #words(): LoadedWords {
    const generation = this.#generation();
    if (this.#loaded?.generation === generation) return this.#loaded;
    const postings = new StoredPostingTable(this.#db);
    const scorer = new WordScorer(postings, lengthNorms(postings, wordScoring));
    this.#loaded = { generation, scorer, fileOf: postings.files };
    return this.#loaded;
  }

  #generation(): number {
    return Number(this.#db.run("SELECT value FROM state WHERE name = 'generation'").get()?.value ?? 0);
  }

  /** Other processes then see that what they have in memory is old. */
  #advance(): void {
    this.#db.run("INSERT OR REPLACE INTO state VALUES ('generation', ?)").run(this.#generation() + 1);
  }
}
