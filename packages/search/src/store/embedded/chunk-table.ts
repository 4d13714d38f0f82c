import type { Chunk } from "../../chunks/chunk.ts";
import type { IndexedChunk } from "../../chunks/chunker.ts";
import { type WordField, wordFields } from "../../words/word-fields.ts";
import type { FileState, IndexCounts, IndexedFile, StoredChunk, SymbolHit } from "../index-store.ts";
import type { DatabaseFile } from "./database-file.ts";

const MAX_LENGTH = 0xffff;
/** The shortest text that is found by groups of three characters. */
const GRAM_CHARACTERS = 3;

const INSERT_CHUNK = `INSERT INTO chunks (id, file, kind, start, "end", names, signatures, comment, text, digest)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const PUT_FILE = `INSERT INTO files
  (path, digest, size, mtime, language, header, fallback, first, chunks, lengths) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (path) DO UPDATE SET digest = excluded.digest, size = excluded.size, mtime = excluded.mtime,
    language = excluded.language, header = excluded.header, fallback = excluded.fallback,
    first = excluded.first, chunks = excluded.chunks, lengths = excluded.lengths
  RETURNING id`;
const SELECT_CHUNK = `SELECT chunks.*, path, language FROM chunks JOIN files ON files.id = chunks.file`;
const SELECT_SYMBOL = "SELECT name, chunk FROM symbols";

/** A file's chunks with their ids. */
export type PlacedChunk = { id: number; chunk: IndexedChunk };

/** Files, their chunks, and the names that these define. */
export class ChunkTable {
  readonly #db: DatabaseFile;

  constructor(db: DatabaseFile) {
    this.#db = db;
  }

  files(): Map<string, FileState> {
    const states = new Map<string, FileState>();
    for (const row of this.#db.run("SELECT path, digest, size, mtime FROM files").iterate()) {
      const path = String(row.path);
      states.set(path, { path, digest: String(row.digest), sizeBytes: Number(row.size), mtimeMs: Number(row.mtime) });
    }
    return states;
  }

  counts(): IndexCounts {
    const row = this.#db
      .run(`SELECT count(*) FILTER (WHERE language <> '') AS files, coalesce(sum(chunks), 0) AS chunks,
        coalesce(sum(fallback), 0) AS fallbacks FROM files`)
      .get();
    return { files: Number(row?.files), chunks: Number(row?.chunks), fallbacks: Number(row?.fallbacks) };
  }

  /** Replaces a file; returns its chunks with their new ids. */
  put(file: IndexedFile): PlacedChunk[] {
    this.#removeChunks(file.path);
    const first = this.#nextId();
    const placed = file.chunks.map((chunk, index) => ({ id: first + index, chunk }));
    const { path, digest, sizeBytes, mtimeMs, language, header, isFallback } = file;
    const about = [path, digest, sizeBytes, mtimeMs, language, header, isFallback ? 1 : 0];
    const row = this.#db.run(PUT_FILE).get(...about, first, placed.length, lengthsOf(file.chunks));
    const fileId = Number(row?.id);
    for (const { id, chunk } of placed) this.#insert(id, fileId, chunk);
    this.#db.run("INSERT OR REPLACE INTO state VALUES ('next_chunk', ?)").run(first + placed.length);
    return placed;
  }

  touch({ path, sizeBytes, mtimeMs }: FileState): void {
    this.#db.run("UPDATE files SET size = ?, mtime = ? WHERE path = ?").run(sizeBytes, mtimeMs, path);
  }

  remove(path: string): void {
    this.#removeChunks(path);
    this.#db.run("DELETE FROM files WHERE path = ?").run(path);
  }

  /** In the order of the ids. */
  chunks(ids: readonly number[]): StoredChunk[] {
    const select = this.#db.run(`${SELECT_CHUNK} WHERE chunks.id = ?`);
    return ids.flatMap((id) => {
      const row = select.get(id);
      return row ? [storedChunk(row)] : [];
    });
  }

  fileChunks(path: string): StoredChunk[] {
    return this.#db.run(`${SELECT_CHUNK} WHERE path = ? ORDER BY chunks.id`).all(path).map(storedChunk);
  }

  symbols(name: string, { limit, isPart }: { limit: number; isPart: boolean }): SymbolHit[] {
    const whole = this.#db
      .run(`${SELECT_SYMBOL} WHERE folded = ? ORDER BY name <> ?, chunk LIMIT ?`)
      .all(name.toLowerCase(), name, limit);
    const rest = limit - whole.length;
    const parts = isPart && rest > 0 && [...name].length >= GRAM_CHARACTERS ? this.#symbolsWith(name, rest) : [];
    return [...whole, ...parts].map((row) => ({ name: String(row.name), chunk: Number(row.chunk) }));
  }

  #symbolsWith(part: string, limit: number): Record<string, unknown>[] {
    return this.#db
      .run(`${SELECT_SYMBOL} WHERE id IN (SELECT rowid FROM symbol_grams WHERE symbol_grams MATCH ?) AND folded <> ?
        ORDER BY length(name), name, chunk LIMIT ?`)
      .all(`"${part.replaceAll('"', '""')}"`, part.toLowerCase(), limit);
  }

  #insert(
    id: number,
    file: number,
    { kind, startLine, endLine, names, signatures, comment, text, digest }: IndexedChunk,
  ) {
    const lists = [names.join("\n"), signatures.join("\n")];
    this.#db.run(INSERT_CHUNK).run(id, file, kind, startLine, endLine, ...lists, comment, text, digest);
    for (const name of new Set(names)) {
      const symbol = this.#db
        .run("INSERT INTO symbols (name, folded, chunk) VALUES (?, ?, ?)")
        .run(name, name.toLowerCase(), id);
      this.#db.run("INSERT INTO symbol_grams (rowid, name) VALUES (?, ?)").run(symbol.lastInsertRowid, name);
    }
  }

  #removeChunks(path: string): void {
    const row = this.#db.run("SELECT first, chunks FROM files WHERE path = ?").get(path);
    if (!row) return;
    const range = [Number(row.first), Number(row.first) + Number(row.chunks)] as const;
    const symbols = "SELECT id FROM symbols WHERE chunk >= ? AND chunk < ?";
    this.#db.run(`DELETE FROM symbol_grams WHERE rowid IN (${symbols})`).run(...range);
    this.#db.run("DELETE FROM symbols WHERE chunk >= ? AND chunk < ?").run(...range);
    this.#db.run("DELETE FROM chunks WHERE id >= ? AND id < ?").run(...range);
  }

  #nextId(): number {
    return Number(this.#db.run("SELECT value FROM state WHERE name = 'next_chunk'").get()?.value ?? 0);
  }
}

function storedChunk(row: Record<string, unknown>): StoredChunk {
  const list = (value: unknown) => (value === "" ? [] : String(value).split("\n"));
  return {
    id: Number(row.id),
    path: String(row.path),
    language: String(row.language),
    kind: String(row.kind) as Chunk["kind"],
    startLine: Number(row.start),
    endLine: Number(row.end),
    names: list(row.names),
    signatures: list(row.signatures),
    comment: String(row.comment),
    text: String(row.text),
  };
}

function lengthsOf(chunks: readonly IndexedChunk[]): Buffer {
  const lengths = new Uint16Array(chunks.length * wordFields.length);
  for (const [index, { words }] of chunks.entries())
    for (const [field, name] of wordFields.entries())
      lengths[index * wordFields.length + field] = Math.min(words[name satisfies WordField].length, MAX_LENGTH);
  return Buffer.from(lengths.buffer);
}
