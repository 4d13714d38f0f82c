import type { EmbedderIdentity, VectorCollection, VectorStore } from "../../embed/vector-collection.ts";
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
import { CHUNK_WORDS, collectionName, FILE_WORDS, makeIndexCollection, pathOf, TEXT_VECTOR } from "./collections.ts";
import { isContentId } from "./content-id.ts";
import { EmbedderTable } from "./embedder-table.ts";
import { equals, isOneOf, isTrue, PointTable } from "./point-table.ts";
import { PointWriter } from "./point-writer.ts";
import { type QdrantLayout, qdrantAddress } from "./qdrant-address.ts";
import { QdrantConnection, type QdrantOptions } from "./qdrant-connection.ts";
import { fileState, gramsOf, type PointReply, storedChunk, storedTexts } from "./stored-points.ts";
import { queryWeights } from "./word-weights.ts";

/** `url`: with the layout of new collections as its parameters; `name`: of the index, which all who share it use. */
export type QdrantStoreOptions = Omit<QdrantOptions, "base"> & { url: string; name: string };

/** Names that contain a text are chosen among so many. */
const MAX_CANDIDATES = 1_000;
/** Nearest texts are looked at so many times the limit: some have left the index. */
const SPARE = 2;
/** Digests that one step of tidying looks at. */
const TIDY_DIGESTS = 500;
/** Of chunks with the same text, such as licences. */
const MAX_COPIES = 2_000;
/** The nearest by what is in memory, and among twice as many by their whole vectors. */
const RESCORED = { quantization: { rescore: true, oversampling: 2 } };

const isChunk = equals("entry", "chunk");
const isFile = equals("entry", "file");

/**
 * An index in Qdrant, in collections of its own. Several machines may share it. Each change is stored when its method
 * resolves; while files are written, searches may find some of them as before and some as after.
 */
export class QdrantStore implements IndexStore, VectorStore {
  readonly #connection: QdrantConnection;
  readonly #collection: string;
  readonly #points: PointTable;
  readonly #writer: PointWriter;
  readonly #embedders: EmbedderTable;

  private constructor(connection: QdrantConnection, collection: string, layout: QdrantLayout) {
    this.#connection = connection;
    this.#collection = collection;
    this.#points = new PointTable(connection, collection);
    this.#writer = new PointWriter(this.#points);
    this.#embedders = new EmbedderTable(connection, collection, layout);
  }

  /** Makes the index if it is not there. Rejects with a `StoreError`. */
  static async open({ url, name, ...options }: QdrantStoreOptions): Promise<QdrantStore> {
    const { base, layout } = qdrantAddress(url);
    const connection = new QdrantConnection({ ...options, base });
    const collection = collectionName(name);
    try {
      await makeIndexCollection(connection, collection, layout);
      return new QdrantStore(connection, collection, layout);
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  async files(): Promise<Map<string, FileState>> {
    const files = new Map<string, FileState>();
    for await (const point of this.#points.all({ must: [isFile] }, ["path", "digest", "size", "mtime"])) {
      const state = fileState(point);
      files.set(state.path, state);
    }
    return files;
  }

  async counts(): Promise<IndexCounts> {
    const [files, chunks, fallbacks] = await Promise.all([
      this.#points.count({ must: [isFile], must_not: [equals("language", "")] }),
      this.#points.count({ must: [isChunk] }),
      this.#points.count({ must: [isFile, isTrue("fallback")] }),
    ]);
    return { files, chunks, fallbacks };
  }

  async write(changes: FileChanges): Promise<void> {
    const embedders = changes.put.length > 0 ? await this.#embedders.all() : [];
    await this.#writer.write(changes, embedders);
  }

  async searchWords(words: readonly QueryWord[], limit: number): Promise<WordHits> {
    if (words.length === 0) return { chunks: [], files: [] };
    const query = { query: queryWeights(words), limit, payload: ["path"] };
    const [chunks = [], files = []] =
      (await this.#points.near([
        { ...query, using: CHUNK_WORDS },
        { ...query, using: FILE_WORDS },
      ])) ?? [];
    return {
      chunks: chunks.map(({ id, score, payload }) => ({ chunk: id, path: String(payload.path), score })),
      files: files.map(({ score, payload }) => ({ path: String(payload.path), score })),
    };
  }

  async searchSymbols(name: string, { limit, isPart }: { limit: number; isPart: boolean }): Promise<SymbolHit[]> {
    const folded = name.toLowerCase();
    const payload = ["names"];
    const same = await this.#points.some({ must: [isChunk, equals("names", name)] }, limit, payload);
    const similar = await this.#points.some({ must: [isChunk, equals("folded", folded)] }, limit, payload);
    const hits = [
      ...same.map(({ id }) => ({ name, chunk: id })),
      ...hitsIn(similar, (each) => each !== name && each.toLowerCase() === folded),
    ].slice(0, limit);
    const grams = gramsOf(folded);
    if (!isPart || hits.length === limit || grams.length === 0) return hits;
    const must = [isChunk, ...grams.map((gram) => equals("grams", gram))];
    const found = await this.#points.some({ must }, MAX_CANDIDATES, payload);
    const parts = hitsIn(found, (each) => each.toLowerCase().includes(folded) && each.toLowerCase() !== folded);
    parts.sort((a, b) => a.name.length - b.name.length || (a.name < b.name ? -1 : 1));
    return [...hits, ...parts].slice(0, limit);
  }

  async nearest(vector: Float32Array, limit: number): Promise<ScoredChunk[]> {
    const adopted = await this.#embedders.adopted();
    if (adopted?.dimensions !== vector.length) return [];
    const table = new PointTable(this.#connection, this.#embedders.alias);
    const query = { query: [...vector], using: TEXT_VECTOR, limit: limit * SPARE, payload: ["digest"] };
    const [texts = []] = (await table.near([query], RESCORED)) ?? [];
    const scores = new Map(texts.map(({ payload, score }) => [String(payload.digest), score]));
    if (scores.size === 0) return [];
    const filter = { must: [isChunk, isOneOf("digest", [...scores.keys()])] };
    const found: ScoredChunk[] = [];
    for await (const { id, payload } of this.#points.all(filter, ["path", "digest"])) {
      found.push({ chunk: id, path: String(payload.path), score: scores.get(String(payload.digest)) ?? 0 });
      if (found.length === MAX_COPIES) break;
    }
    return found.sort((a, b) => b.score - a.score).slice(0, limit);
  }

  async chunks(ids: readonly ChunkId[]): Promise<StoredChunk[]> {
    const known = [...new Set(ids.filter(isContentId))];
    if (known.length === 0) return [];
    const found = await this.#points.byId(known, true);
    const byId = new Map(found.map((point) => [point.id, storedChunk(point)]));
    return ids.flatMap((id) => byId.get(String(id)) ?? []);
  }

  async fileChunks(path: string): Promise<StoredChunk[]> {
    const chunks: PointReply[] = [];
    for await (const point of this.#points.all({ must: [isChunk, equals("path", path)] }, true)) chunks.push(point);
    chunks.sort((a, b) => Number(a.payload.position) - Number(b.payload.position));
    return chunks.map(storedChunk);
  }

  collection(embedder: EmbedderIdentity & { dimensions: number }): Promise<VectorCollection> {
    return this.#embedders.open(embedder);
  }

  adopt(key: string): Promise<void> {
    return this.#embedders.adopt(key);
  }

  async adopted(): Promise<EmbedderIdentity | undefined> {
    const adopted = await this.#embedders.adopted();
    return adopted && { key: adopted.key, name: adopted.name };
  }

  /** Removes vectors of texts that have left the index since it was opened. */
  async tidy(): Promise<boolean> {
    const { left } = this.#writer;
    const digests = [...left].slice(0, TIDY_DIGESTS);
    if (digests.length === 0) return false;
    const used = new Set<unknown>();
    const filter = { must: [isChunk, isOneOf("digest", digests)] };
    for await (const { payload } of this.#points.all(filter, ["digest"])) used.add(payload.digest);
    const unused = digests.filter((digest) => !used.has(digest));
    if (unused.length > 0) for (const embedder of await this.#embedders.all()) await embedder.remove(unused);
    for (const digest of digests) left.delete(digest);
    return left.size > 0;
  }

  /** Deletes the index. */
  async remove(): Promise<void> {
    await this.#embedders.removeAll();
    await this.#connection.ask("DELETE", pathOf(this.#collection));
  }

  async close(): Promise<void> {
    this.#connection.close();
  }
}

function hitsIn(points: readonly PointReply[], fits: (name: string) => boolean): { name: string; chunk: string }[] {
  return points.flatMap(({ id, payload }) =>
    storedTexts(payload.names)
      .filter(fits)
      .map((name) => ({ name, chunk: id })),
  );
}
