import { embeddingText } from "../../embed/embedding-text.ts";
import type { DigestVector, MissingText, VectorCollection } from "../../embed/vector-collection.ts";
import { storableJson } from "./change-writer.ts";
import type { SqlRow } from "./postgres-client.ts";
import type { PostgresConnection } from "./postgres-connection.ts";

/** The vectors of one embedder for one index. */
export class VectorTable implements VectorCollection {
  readonly #db: PostgresConnection;
  readonly #index: number;
  readonly #table: string;
  /** Texts up to this digest have vectors, unless they have come since. */
  #seen = "";

  constructor(db: PostgresConnection, { index, table }: { index: number; table: number }) {
    this.#db = db;
    this.#index = index;
    this.#table = `harness_search.vectors_${table}`;
  }

  async missing(limit: number): Promise<MissingText[]> {
    const found = await this.#missingFrom(this.#seen, limit);
    const rows = found.length > 0 || this.#seen === "" ? found : await this.#missingFrom("", limit);
    this.#seen = String(rows[0]?.digest ?? "");
    return rows.map(({ digest, signatures, comment, text }) => {
      const chunk = { signatures: storedLines(signatures), comment: String(comment), text: String(text) };
      return { digest: String(digest), text: embeddingText(chunk) };
    });
  }

  put(vectors: readonly DigestVector[]): Promise<void> {
    return this.#insert(vectors.map(({ digest, vector }) => ({ digest, vector: vectorText(vector) })));
  }

  giveUp(digests: readonly string[]): Promise<void> {
    return this.#insert(digests.map((digest) => ({ digest, vector: null })));
  }

  async progress(): Promise<{ done: number; total: number }> {
    const [row] = await this.#db.rows(
      `SELECT count(DISTINCT c.digest) AS total, count(DISTINCT v.digest) AS done FROM harness_search.chunks c
       LEFT JOIN ${this.#table} v ON v.index_id = $1::int AND v.digest = c.digest WHERE c.index_id = $1::int`,
      [this.#index],
    );
    return { done: Number(row?.done), total: Number(row?.total) };
  }

  /** In the order of digests, so that an index of them is read no further than needed. */
  #missingFrom(digest: string, limit: number): Promise<readonly SqlRow[]> {
    return this.#db.rows(
      `SELECT DISTINCT ON (c.digest) c.digest, c.signatures, c.comment, c.text FROM harness_search.chunks c
       WHERE c.index_id = $1::int AND c.digest >= $3::text AND NOT EXISTS (
         SELECT 1 FROM ${this.#table} v WHERE v.index_id = $1::int AND v.digest = c.digest)
       ORDER BY c.digest LIMIT $2::int`,
      [this.#index, limit, digest],
    );
  }

  async #insert(rows: readonly { digest: string; vector: string | null }[]): Promise<void> {
    if (rows.length === 0) return;
    await this.#db.rows(
      `INSERT INTO ${this.#table} (index_id, digest, vector)
       SELECT $1::int, r.digest, r.vector::halfvec FROM jsonb_to_recordset($2::text::jsonb) AS r(digest text, vector text)
       ON CONFLICT (index_id, digest) DO UPDATE SET vector = excluded.vector`,
      [this.#index, storableJson(rows)],
    );
  }
}

export function vectorText(vector: Float32Array): string {
  return `[${vector.join(",")}]`;
}

/** Lists are stored as lines. */
export function storedLines(value: unknown): string[] {
  return value === "" ? [] : String(value).split("\n");
}
