import { binaryCode, codeLength, meanVector } from "../../embed/binary-codes.ts";
import { embeddingText } from "../../embed/embedding-text.ts";
import { nearestVectors } from "../../embed/nearest-vectors.ts";
import { packVector, unpackVector } from "../../embed/vector-blob.ts";
import type { DigestVector, EmbedderIdentity, MissingText, VectorCollection } from "../../embed/vector-collection.ts";
import type { DatabaseFile } from "./database-file.ts";

/** Enough vectors to know what all have in common. */
const MEAN_SAMPLE = 2_000;
/** Vectors without a chunk that one step of tidying removes. */
const TIDY_ROWS = 5_000;

export type EmbedderRow = EmbedderIdentity & { id: number; dimensions: number; mean: Float32Array };

/** The embedders of an index, and the one whose vectors are searched. */
export class ChunkVectors {
  readonly #db: DatabaseFile;
  #codes: { state: number; embedder: EmbedderRow; chunks: Uint32Array; codes: Uint32Array } | undefined;

  constructor(db: DatabaseFile) {
    this.#db = db;
  }

  collection({ key, name, dimensions }: EmbedderIdentity & { dimensions: number }): VectorCollection {
    const id = this.#db.write(() => {
      this.#db
        .run("INSERT OR IGNORE INTO embedders (key, name, dimensions) VALUES (?, ?, ?)")
        .run(key, name, dimensions);
      return Number(this.#db.run("SELECT id FROM embedders WHERE key = ?").get(key)?.id);
    });
    return new EmbedderVectors(this.#db, id);
  }

  adopted(): EmbedderRow | undefined {
    const row = this.#db.run("SELECT id, key, name, dimensions, mean FROM embedders WHERE mean IS NOT NULL").get();
    if (!row || !(row.mean instanceof Uint8Array)) return undefined;
    const mean = new Float32Array(Uint8Array.from(row.mean).buffer);
    return {
      id: Number(row.id),
      key: String(row.key),
      name: String(row.name),
      dimensions: Number(row.dimensions),
      mean,
    };
  }

  /** Codes are made of all vectors with the mean of many; later ones use the same mean. */
  adopt(key: string): void {
    this.#db.write(() => {
      const row = this.#db.run("SELECT id, dimensions, mean FROM embedders WHERE key = ?").get(key);
      if (!row || row.mean !== null) return;
      const [id, dimensions] = [Number(row.id), Number(row.dimensions)];
      const mean = meanVector(this.#sample(id, dimensions), dimensions);
      this.#db.run("UPDATE embedders SET mean = ? WHERE id = ?").run(Buffer.from(mean.buffer), id);
      this.#encode(id, mean);
      this.#db.run("DELETE FROM vectors WHERE embedder <> ?").run(id);
      this.#db.run("DELETE FROM embedders WHERE id <> ?").run(id);
      advanceVectors(this.#db);
    });
  }

  nearest(vector: Float32Array, limit: number): { chunk: number; score: number }[] {
    const loaded = this.#loaded();
    if (!loaded || loaded.embedder.dimensions !== vector.length) return [];
    const { embedder, chunks, codes } = loaded;
    const packed = this.#db.run(
      "SELECT vector FROM chunks JOIN vectors ON vectors.digest = chunks.digest WHERE embedder = ? AND chunks.id = ?",
    );
    const found = nearestVectors(
      {
        mean: embedder.mean,
        codes,
        packed: (place) => {
          const blob = packed.get(embedder.id, chunks[place] ?? -1)?.vector;
          return blob instanceof Uint8Array ? blob : undefined;
        },
      },
      vector,
      limit,
    );
    return found.map(({ place, score }) => ({ chunk: chunks[place] ?? -1, score }));
  }

  /** Removes vectors whose text has left the index; true if there may be more. */
  tidy(): boolean {
    const { changes } = this.#db
      .run(
        `DELETE FROM vectors WHERE (embedder, digest) IN (SELECT embedder, digest FROM vectors
         WHERE NOT EXISTS (SELECT 1 FROM chunks WHERE chunks.digest = vectors.digest) LIMIT ?)`,
      )
      .run(TIDY_ROWS);
    return Number(changes) === TIDY_ROWS;
  }

  #sample(embedder: number, dimensions: number): Float32Array[] {
    return this.#db
      .run("SELECT vector FROM vectors WHERE embedder = ? AND vector IS NOT NULL LIMIT ?")
      .all(embedder, MEAN_SAMPLE)
      .flatMap(({ vector }) => {
        const unpacked = vector instanceof Uint8Array ? unpackVector(vector, dimensions) : undefined;
        return unpacked ? [unpacked] : [];
      });
  }

  #encode(embedder: number, mean: Float32Array): void {
    const update = this.#db.run("UPDATE vectors SET code = ? WHERE embedder = ? AND digest = ?");
    const rows = this.#db
      .run("SELECT digest, vector FROM vectors WHERE embedder = ? AND vector IS NOT NULL")
      .all(embedder);
    for (const { digest, vector } of rows) {
      const unpacked = vector instanceof Uint8Array ? unpackVector(vector, mean.length) : undefined;
      if (unpacked) update.run(codeBlob(unpacked, mean), embedder, String(digest));
    }
  }

  #loaded() {
    const embedder = this.adopted();
    if (!embedder) return undefined;
    const state = vectorState(this.#db);
    if (this.#codes?.state === state && this.#codes.embedder.id === embedder.id) return this.#codes;
    const rows = this.#db
      .run(
        `SELECT chunks.id, code FROM chunks JOIN vectors ON vectors.digest = chunks.digest
         WHERE embedder = ? AND code IS NOT NULL ORDER BY chunks.id`,
      )
      .all(embedder.id);
    const length = codeLength(embedder.dimensions);
    const chunks = new Uint32Array(rows.length);
    const codes = new Uint32Array(rows.length * length);
    const bytes = new Uint8Array(codes.buffer);
    for (const [place, row] of rows.entries()) {
      chunks[place] = Number(row.id);
      if (row.code instanceof Uint8Array) bytes.set(row.code, place * length * 4);
    }
    this.#codes = { state, embedder, chunks, codes };
    return this.#codes;
  }
}

/** The vectors of one embedder. */
class EmbedderVectors implements VectorCollection {
  readonly #db: DatabaseFile;
  readonly #embedder: number;
  /** Texts up to this digest have vectors, unless they have come since. */
  #seen = "";

  constructor(db: DatabaseFile, embedder: number) {
    this.#db = db;
    this.#embedder = embedder;
  }

  async missing(limit: number): Promise<MissingText[]> {
    const found = this.#missingAfter(this.#seen, limit);
    const rows = found.length > 0 || this.#seen === "" ? found : this.#missingAfter("", limit);
    this.#seen = rows.length > 0 ? (rows[0]?.digest ?? "") : "";
    return rows;
  }

  async put(vectors: readonly DigestVector[]): Promise<void> {
    const insert = this.#db.run("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)");
    this.#db.write(() => {
      const mean = this.#db.run("SELECT mean FROM embedders WHERE id = ?").get(this.#embedder)?.mean;
      const center = mean instanceof Uint8Array ? new Float32Array(Uint8Array.from(mean).buffer) : undefined;
      for (const { digest, vector } of vectors)
        insert.run(this.#embedder, digest, packVector(vector), center ? codeBlob(vector, center) : null);
      if (center) advanceVectors(this.#db);
    });
  }

  async giveUp(digests: readonly string[]): Promise<void> {
    const insert = this.#db.run("INSERT OR REPLACE INTO vectors VALUES (?, ?, NULL, NULL)");
    this.#db.write(() => {
      for (const digest of digests) insert.run(this.#embedder, digest);
    });
  }

  async progress(): Promise<{ done: number; total: number }> {
    const row = this.#db
      .run(
        `SELECT count(*) AS total, count(v.digest) AS done FROM (SELECT DISTINCT digest FROM chunks) c
         LEFT JOIN vectors v ON v.embedder = ? AND v.digest = c.digest`,
      )
      .get(this.#embedder);
    return { done: Number(row?.done), total: Number(row?.total) };
  }

  #missingAfter(digest: string, limit: number): MissingText[] {
    return this.#db
      .run(
        `SELECT digest, signatures, comment, text FROM chunks WHERE digest >= ? AND NOT EXISTS (
           SELECT 1 FROM vectors v WHERE v.embedder = ? AND v.digest = chunks.digest)
         GROUP BY digest ORDER BY digest LIMIT ?`,
      )
      .all(digest, this.#embedder, limit)
      .map((row) => {
        const signatures = row.signatures === "" ? [] : String(row.signatures).split("\n");
        const text = embeddingText({ signatures, comment: String(row.comment), text: String(row.text) });
        return { digest: String(row.digest), text };
      });
  }
}

function codeBlob(vector: Float32Array, mean: Float32Array): Buffer {
  return Buffer.from(binaryCode(vector, mean).buffer);
}

function vectorState(db: DatabaseFile): number {
  const row = db.run("SELECT sum(value) AS state FROM state WHERE name IN ('generation', 'vectors')").get();
  return Number(row?.state ?? 0);
}

/** Other processes then see that the codes that they have in memory are old. */
function advanceVectors(db: DatabaseFile): void {
  db.run("INSERT INTO state VALUES ('vectors', 1) ON CONFLICT (name) DO UPDATE SET value = value + 1").run();
}
