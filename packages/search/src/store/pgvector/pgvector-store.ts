import type { Chunk } from "../../chunks/chunk.ts";
import type { EmbedderIdentity, VectorCollection, VectorStore } from "../../embed/vector-collection.ts";
import { wordScoring } from "../../words/word-scoring.ts";
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
import { StoreError } from "../store-error.ts";
import { ChangeWriter } from "./change-writer.ts";
import type { SqlRow } from "./postgres-client.ts";
import { PostgresConnection, type PostgresOptions } from "./postgres-connection.ts";
import {
  analysis,
  dropPartitions,
  INDEX_TABLES,
  nearIndex,
  partitionsOf,
  TABLES_VERSION,
  vectorPartition,
  vectorTable,
} from "./schema.ts";
import { storedLines, VectorTable, vectorText } from "./vector-table.ts";
import { chunkWordQuery, fileWordQuery } from "./word-query.ts";

/** The shortest text that is found in the middle of a name. */
const PART_CHARACTERS = 3;
/** Vectors without a chunk that one step of tidying removes. */
const TIDY_ROWS = 5_000;
/** After so many changed files the planner should know of them. */
const MANY_FILES = 500;
/** HNSW looks at so many near vectors, or more if more are wanted; pgvector allows up to 1,000. */
const SEARCH_WIDTH = 100;
const MAX_SEARCH_WIDTH = 1_000;

const SELECT_CHUNK = `SELECT c.*, f.path, f.language FROM harness_search.chunks c
  JOIN harness_search.files f ON f.index_id = c.index_id AND f.id = c.file WHERE c.index_id = $1::int`;

/** `name`: of the index, which all who share it use. */
export type PgvectorOptions = PostgresOptions & { name: string };

/** An index in PostgreSQL with pgvector, in partitions of its own. Several machines may share it. */
export class PgvectorStore implements IndexStore, VectorStore {
  readonly #db: PostgresConnection;
  readonly #index: number;
  /** Since the rows were counted. */
  #changedFiles = 0;

  private constructor(db: PostgresConnection, index: number) {
    this.#db = db;
    this.#index = index;
  }

  /** Makes the index if it is not there. Rejects with a `StoreError`. */
  static async open({ name, ...options }: PgvectorOptions): Promise<PgvectorStore> {
    const db = new PostgresConnection(options);
    try {
      const index = await db.transaction(async (sql) => {
        // Two processes may make the same tables at once.
        await sql.rows("SELECT pg_advisory_xact_lock(hashtext('harness_search'))");
        for (const statement of statementsOf(INDEX_TABLES)) await sql.rows(statement);
        const [known] = await sql.rows("SELECT id, version FROM harness_search.indexes WHERE name = $1::text", [name]);
        if (known && Number(known.version) === TABLES_VERSION) return Number(known.id);
        if (known) {
          for (const statement of statementsOf(dropPartitions(Number(known.id)))) await sql.rows(statement);
          await sql.rows("DELETE FROM harness_search.indexes WHERE id = $1::int", [Number(known.id)]);
        }
        const [made] = await sql.rows(
          "INSERT INTO harness_search.indexes (name, version) VALUES ($1::text, $2::int) RETURNING id",
          [name, TABLES_VERSION],
        );
        for (const statement of statementsOf(partitionsOf(Number(made?.id)))) await sql.rows(statement);
        return Number(made?.id);
      });
      return new PgvectorStore(db, index);
    } catch (error) {
      await db.close();
      throw error;
    }
  }

  async files(): Promise<Map<string, FileState>> {
    const rows = await this.#rows(
      "SELECT path, digest, size, mtime FROM harness_search.files WHERE index_id = $1::int",
    );
    return new Map(
      rows.map(({ path, digest, size, mtime }) => {
        const state = { path: String(path), digest: String(digest), sizeBytes: Number(size), mtimeMs: Number(mtime) };
        return [state.path, state];
      }),
    );
  }

  async counts(): Promise<IndexCounts> {
    const [row] = await this.#rows("SELECT files, chunks, fallbacks FROM harness_search.indexes WHERE id = $1::int");
    return { files: Number(row?.files), chunks: Number(row?.chunks), fallbacks: Number(row?.fallbacks) };
  }

  async write(changes: FileChanges): Promise<void> {
    await this.#db.transaction((sql) => new ChangeWriter(sql, this.#index).write(changes));
    this.#changedFiles += changes.put.length;
  }

  async searchWords(words: readonly QueryWord[], limit: number): Promise<WordHits> {
    const weights = new Map<string, number>();
    for (const { word, weight } of words) weights.set(word, (weights.get(word) ?? 0) + weight);
    if (weights.size === 0) return { chunks: [], files: [] };
    const list = JSON.stringify([...weights].map(([word, weight]) => ({ word, weight })));
    const [chunks, files] = await Promise.all([
      this.#rows(chunkWordQuery(wordScoring), list, limit),
      this.#rows(fileWordQuery(wordScoring), list, limit),
    ]);
    return {
      chunks: chunks.map(({ chunk, path, score }) => ({
        chunk: Number(chunk),
        path: String(path),
        score: Number(score),
      })),
      files: files.map(({ path, score }) => ({ path: String(path), score: Number(score) })),
    };
  }

  async searchSymbols(name: string, { limit, isPart }: { limit: number; isPart: boolean }): Promise<SymbolHit[]> {
    const whole = await this.#rows(
      `SELECT name, chunk FROM harness_search.symbols WHERE index_id = $1::int AND folded = lower($2::text)
       ORDER BY name <> $2::text, chunk LIMIT $3::int`,
      name,
      limit,
    );
    const rest = limit - whole.length;
    const parts =
      isPart && rest > 0 && [...name].length >= PART_CHARACTERS
        ? await this.#rows(
            `SELECT name, chunk FROM harness_search.symbols WHERE index_id = $1::int
             AND position(lower($2::text) IN folded) > 0 AND folded <> lower($2::text)
             ORDER BY length(name), name, chunk LIMIT $3::int`,
            name,
            rest,
          )
        : [];
    return [...whole, ...parts].map((row) => ({ name: String(row.name), chunk: Number(row.chunk) }));
  }

  async nearest(vector: Float32Array, limit: number): Promise<ScoredChunk[]> {
    const table = await this.#adoptedTable();
    if (!table || table.dimensions !== vector.length) return [];
    const width = Math.min(MAX_SEARCH_WIDTH, Math.max(SEARCH_WIDTH, limit * 2));
    const rows = await this.#db.transaction(async (sql) => {
      await sql.rows(`SET LOCAL hnsw.ef_search = ${width}`);
      return sql.rows(
        `SELECT c.id, f.path, 1 - n.distance AS score FROM (
           SELECT digest, vector <=> $2::text::halfvec AS distance FROM harness_search.vectors_${table.id}
           WHERE index_id = $1::int AND vector IS NOT NULL ORDER BY distance LIMIT $3::int) n
         JOIN harness_search.chunks c ON c.index_id = $1::int AND c.digest = n.digest
         JOIN harness_search.files f ON f.index_id = $1::int AND f.id = c.file
         ORDER BY n.distance, c.id LIMIT $3::int`,
        [this.#index, vectorText(vector), limit],
      );
    });
    return rows.map(({ id, path, score }) => ({ chunk: Number(id), path: String(path), score: Number(score) }));
  }

  async chunks(ids: readonly ChunkId[]): Promise<StoredChunk[]> {
    const rows = await this.#rows(
      `${SELECT_CHUNK} AND c.id IN (SELECT jsonb_array_elements_text($2::text::jsonb)::bigint)`,
      JSON.stringify(ids.map(Number).filter(Number.isSafeInteger)),
    );
    const found = new Map(rows.map((row) => [Number(row.id), storedChunk(row)]));
    return ids.flatMap((id) => found.get(Number(id)) ?? []);
  }

  async fileChunks(path: string): Promise<StoredChunk[]> {
    return (await this.#rows(`${SELECT_CHUNK} AND f.path = $2::text ORDER BY c.id`, path)).map(storedChunk);
  }

  async collection({ key, name, dimensions }: EmbedderIdentity & { dimensions: number }): Promise<VectorCollection> {
    const index = this.#index;
    const table = await this.#db.transaction(async (sql) => {
      await sql.rows("SELECT pg_advisory_xact_lock(hashtext('harness_search'))");
      const [row] = await sql.rows(
        `INSERT INTO harness_search.vector_tables (key, name, dimensions) VALUES ($1::text, $2::text, $3::int)
         ON CONFLICT (key) DO UPDATE SET key = excluded.key RETURNING id, dimensions`,
        [key, name, dimensions],
      );
      if (Number(row?.dimensions) !== dimensions) {
        const message = `The vectors of ${key} at ${this.#db.shown} have ${row?.dimensions} dimensions and not ${dimensions}.`;
        throw new StoreError(message);
      }
      const place = { table: Number(row?.id), dimensions, index };
      await sql.rows(vectorTable(place));
      for (const statement of statementsOf(vectorPartition(place))) await sql.rows(statement);
      return place.table;
    });
    return new VectorTable(this.#db, { index, table });
  }

  async adopt(key: string): Promise<void> {
    await this.#db.transaction(async (sql) => {
      const [chosen] = await sql.rows("SELECT id, dimensions FROM harness_search.vector_tables WHERE key = $1::text", [
        key,
      ]);
      if (!chosen) return;
      const [table, dimensions] = [Number(chosen.id), Number(chosen.dimensions)];
      for (const statement of statementsOf(nearIndex({ table, index: this.#index, dimensions })))
        await sql.rows(statement);
      await sql.rows("UPDATE harness_search.indexes SET embedder = $2::text WHERE id = $1::int", [this.#index, key]);
      const others = await sql.rows("SELECT id FROM harness_search.vector_tables WHERE key <> $1::text", [key]);
      for (const { id } of others)
        await sql.rows(`DROP TABLE IF EXISTS harness_search.vectors_${Number(id)}_${this.#index}`);
    });
  }

  async adopted(): Promise<EmbedderIdentity | undefined> {
    const [row] = await this.#rows(
      `SELECT v.key, v.name FROM harness_search.indexes i
       JOIN harness_search.vector_tables v ON v.key = i.embedder WHERE i.id = $1::int`,
    );
    return row && { key: String(row.key), name: String(row.name) };
  }

  /** Removes vectors of texts that have left the index. */
  async tidy(): Promise<boolean> {
    if (this.#changedFiles >= MANY_FILES)
      for (const each of statementsOf(analysis(this.#index))) await this.#db.rows(each);
    this.#changedFiles = 0;
    const table = await this.#adoptedTable();
    if (!table) return false;
    const vectors = `harness_search.vectors_${table.id}`;
    const removed = await this.#rows(
      `DELETE FROM ${vectors} WHERE index_id = $1::int AND digest IN (
         SELECT v.digest FROM ${vectors} v WHERE v.index_id = $1::int AND NOT EXISTS (
           SELECT 1 FROM harness_search.chunks c WHERE c.index_id = $1::int AND c.digest = v.digest) LIMIT $2::int)
       RETURNING 1`,
      TIDY_ROWS,
    );
    return removed.length === TIDY_ROWS;
  }

  /** Deletes the index. */
  async remove(): Promise<void> {
    await this.#db.transaction(async (sql) => {
      const tables = await sql.rows("SELECT id FROM harness_search.vector_tables");
      const vectors = tables.map(
        ({ id }) => `DROP TABLE IF EXISTS harness_search.vectors_${Number(id)}_${this.#index}`,
      );
      for (const statement of [...statementsOf(dropPartitions(this.#index)), ...vectors]) await sql.rows(statement);
      await sql.rows("DELETE FROM harness_search.indexes WHERE id = $1::int", [this.#index]);
    });
  }

  close(): Promise<void> {
    return this.#db.close();
  }

  async #adoptedTable(): Promise<{ id: number; dimensions: number } | undefined> {
    const [row] = await this.#rows(
      `SELECT v.id, v.dimensions FROM harness_search.indexes i
       JOIN harness_search.vector_tables v ON v.key = i.embedder WHERE i.id = $1::int`,
    );
    return row && { id: Number(row.id), dimensions: Number(row.dimensions) };
  }

  #rows(query: string, ...parameters: (string | number)[]): Promise<readonly SqlRow[]> {
    return this.#db.rows(query, [this.#index, ...parameters]);
  }
}

/** The statements below hold no semicolon inside. */
function statementsOf(text: string): string[] {
  return text
    .split(";")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

function storedChunk(row: SqlRow): StoredChunk {
  return {
    id: Number(row.id),
    path: String(row.path),
    language: String(row.language),
    kind: String(row.kind) as Chunk["kind"],
    startLine: Number(row.start_line),
    endLine: Number(row.end_line),
    names: storedLines(row.names),
    signatures: storedLines(row.signatures),
    comment: String(row.comment),
    text: String(row.text),
  };
}
