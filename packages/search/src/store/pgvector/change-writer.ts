import { wordFields } from "../../words/word-fields.ts";
import type { FileChanges, IndexedFile } from "../index-store.ts";
import { fieldLengths, wordCounts } from "../word-counts.ts";
import type { SqlRow, SqlRunner } from "./postgres-client.ts";

/** Rows that are sent at once. */
const PAGE = 2_000;

const SUMS =
  "files, live_files, chunks, fallbacks, name_words, comment_words, body_words, path_words, chunk_path_words";

/** Sums over files, as the row of an index has them. */
const SUMS_OF_FILES = `SELECT count(*) FILTER (WHERE language <> '') AS files, count(*) FILTER (WHERE chunks > 0) AS live_files,
  coalesce(sum(chunks), 0) AS chunks, count(*) FILTER (WHERE fallback) AS fallbacks,
  coalesce(sum(name_words), 0) AS name_words, coalesce(sum(comment_words), 0) AS comment_words,
  coalesce(sum(body_words), 0) AS body_words, coalesce(sum(path_words), 0) AS path_words,
  coalesce(sum(path_words::bigint * chunks), 0) AS chunk_path_words
  FROM harness_search.files WHERE index_id = $1::int AND path IN (SELECT jsonb_array_elements_text($2::text::jsonb))`;

/** Writes the changes of one index in a transaction. */
export class ChangeWriter {
  readonly #runner: SqlRunner;
  readonly #index: number;

  constructor(runner: SqlRunner, index: number) {
    this.#runner = runner;
    this.#index = index;
  }

  async write({ put, touched, removed }: FileChanges): Promise<void> {
    // Another process that writes waits here.
    const [row] = await this.#run(
      "SELECT next_file, next_chunk FROM harness_search.indexes WHERE id = $1::int FOR UPDATE",
    );
    const paths = [...new Set([...removed, ...put.map(({ path }) => path)])];
    const known = await this.#remove(paths);
    await this.#put(put, known, { file: Number(row?.next_file), chunk: Number(row?.next_chunk) });
    await this.#addSums("+", paths);
    await this.#run(
      `UPDATE harness_search.files f SET size = r.size, mtime = r.mtime
       FROM jsonb_to_recordset($2::text::jsonb) AS r(path text, size bigint, mtime float8)
       WHERE f.index_id = $1::int AND f.path = r.path`,
      touched.map(({ path, sizeBytes, mtimeMs }) => ({ path, size: sizeBytes, mtime: mtimeMs })),
    );
  }

  /** The ids of the files, which stay with their paths. */
  async #remove(paths: readonly string[]): Promise<Map<string, number>> {
    await this.#addSums("-", paths);
    const rows = await this.#run(
      `SELECT id, path FROM harness_search.files
       WHERE index_id = $1::int AND path IN (SELECT jsonb_array_elements_text($2::text::jsonb))`,
      paths,
    );
    const ids = rows.map(({ id }) => Number(id));
    for (const table of ["terms", "symbols", "chunks"]) {
      await this.#run(
        `DELETE FROM harness_search.${table}
         WHERE index_id = $1::int AND file IN (SELECT jsonb_array_elements_text($2::text::jsonb)::bigint)`,
        ids,
      );
    }
    await this.#run(
      `DELETE FROM harness_search.files
       WHERE index_id = $1::int AND path IN (SELECT jsonb_array_elements_text($2::text::jsonb))`,
      paths,
    );
    return new Map(rows.map(({ id, path }) => [String(path), Number(id)]));
  }

  async #put(put: readonly IndexedFile[], known: ReadonlyMap<string, number>, next: { file: number; chunk: number }) {
    const [files, chunks, terms, symbols]: [SqlRow[], SqlRow[], SqlRow[], SqlRow[]] = [[], [], [], []];
    for (const file of put) {
      const id = known.get(file.path) ?? next.file++;
      files.push(fileRow(file, id));
      for (const chunk of file.chunks) {
        const at = { chunk: next.chunk++, file: id };
        const { kind, startLine, endLine, comment, text, digest } = chunk;
        const lists = { names: chunk.names.join("\n"), signatures: chunk.signatures.join("\n") };
        chunks.push({ ...at, kind, start_line: startLine, end_line: endLine, ...lists, comment, text, digest });
        const [name_words, path_words, comment_words, body_words] = fieldLengths(chunk.words);
        for (const [word, [names, paths, comments, bodies]] of wordCounts(chunk.words)) {
          terms.push({
            ...at,
            word,
            names,
            paths,
            comments,
            bodies,
            name_words,
            path_words,
            comment_words,
            body_words,
          });
        }
        for (const name of new Set(chunk.names)) symbols.push({ ...at, name, folded: name.toLowerCase() });
      }
    }
    await this.#insert("files", FILE_COLUMNS, files);
    await this.#insert("chunks", CHUNK_COLUMNS, chunks);
    await this.#insert("terms", TERM_COLUMNS, terms);
    await this.#insert("symbols", SYMBOL_COLUMNS, symbols);
    await this.#runner.rows(
      "UPDATE harness_search.indexes SET next_file = $2::bigint, next_chunk = $3::bigint WHERE id = $1::int",
      [this.#index, next.file, next.chunk],
    );
  }

  /** `columns`: with their types, as in a list of record columns; `chunk` of the rows is the id of a chunk. */
  async #insert(table: string, columns: string, rows: readonly SqlRow[]): Promise<void> {
    const names = columns.split(", ").map((column) => column.split(" ")[0] ?? "");
    const own = table === "chunks" ? names.map((name) => (name === "chunk" ? "id" : name)) : names;
    const given = names.map((name) => `r.${name}`).join(", ");
    for (let at = 0; at < rows.length; at += PAGE) {
      await this.#run(
        `INSERT INTO harness_search.${table} (index_id, ${own.join(", ")})
         SELECT $1::int, ${given} FROM jsonb_to_recordset($2::text::jsonb) AS r(${columns})`,
        rows.slice(at, at + PAGE),
      );
    }
  }

  async #addSums(sign: "+" | "-", paths: readonly string[]): Promise<void> {
    const changes = SUMS.split(", ").map((name) => `${name} = i.${name} ${sign} s.${name}`);
    await this.#run(
      `UPDATE harness_search.indexes i SET ${changes.join(", ")} FROM (${SUMS_OF_FILES}) s WHERE i.id = $1::int`,
      paths,
    );
  }

  /** Runs a query with the id of the index as `$1`, and a list as JSON in `$2`; nothing for an empty list. */
  async #run(query: string, list?: readonly unknown[]): Promise<readonly SqlRow[]> {
    if (list?.length === 0) return [];
    return this.#runner.rows(query, list === undefined ? [this.#index] : [this.#index, storableJson(list)]);
  }
}

const FILE_COLUMNS =
  "id bigint, path text, digest text, size bigint, mtime float8, language text, fallback boolean, chunks int, name_words int, path_words int, comment_words int, body_words int";
const CHUNK_COLUMNS =
  "chunk bigint, file bigint, kind text, start_line int, end_line int, names text, signatures text, comment text, text text, digest text";
const TERM_COLUMNS =
  "word text, chunk bigint, file bigint, names smallint, paths smallint, comments smallint, bodies smallint, name_words int, path_words int, comment_words int, body_words int";
const SYMBOL_COLUMNS = "name text, folded text, chunk bigint, file bigint";

function fileRow({ path, digest, sizeBytes, mtimeMs, language, isFallback, chunks }: IndexedFile, id: number): SqlRow {
  const sums = wordFields.map(() => 0);
  for (const { words } of chunks) {
    for (const [field, length] of fieldLengths(words).entries()) {
      const isPath = wordFields[field] === "path";
      sums[field] = isPath ? Math.max(sums[field] ?? 0, length) : (sums[field] ?? 0) + length;
    }
  }
  const [name_words, path_words, comment_words, body_words] = sums;
  const lengths = { name_words, path_words, comment_words, body_words };
  const about = { id, path, digest, size: sizeBytes, mtime: mtimeMs, language, fallback: isFallback };
  return { ...about, chunks: chunks.length, ...lengths };
}

/** PostgreSQL stores no NUL and no half characters. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "string" ? inner.toWellFormed().replaceAll("\0", "\ufffd") : inner,
  );
}
