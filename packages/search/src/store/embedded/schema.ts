/** A database of another version is made anew: what it holds comes from the folder. */
export const SCHEMA_VERSION = 3;

/**
 * - `files`: ids stay with a path. `lengths`: for each chunk four numbers of two bytes, the words in each field.
 * - `chunks`: ids ascend and are not reused; those of one file are consecutive.
 * - `postings`: which chunks have a word, in segments: each write adds one, tidying joins them. They may have chunks
 *   that were removed since.
 * - `embedders`: the one with a `mean` is searched. `vectors`: null for texts that its model has none for; `code` has a
 *   bit for each dimension.
 * - `symbols`, `symbol_grams`: the names that chunks define, whole and by groups of three characters.
 */
export const SCHEMA = `
  CREATE TABLE state (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
  CREATE TABLE files (
    id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, size INTEGER NOT NULL, mtime REAL NOT NULL,
    language TEXT NOT NULL, header TEXT NOT NULL, fallback INTEGER NOT NULL,
    first INTEGER NOT NULL, chunks INTEGER NOT NULL, lengths BLOB NOT NULL
  );
  CREATE INDEX files_by_digest ON files (digest);
  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY, file INTEGER NOT NULL, kind TEXT NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
    names TEXT NOT NULL, signatures TEXT NOT NULL, comment TEXT NOT NULL, text TEXT NOT NULL, digest TEXT NOT NULL
  );
  CREATE INDEX chunks_by_digest ON chunks (digest);
  CREATE TABLE embedders (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL, dimensions INTEGER NOT NULL, mean BLOB
  );
  CREATE TABLE vectors (embedder INTEGER NOT NULL, digest TEXT NOT NULL, vector BLOB, code BLOB,
    PRIMARY KEY (embedder, digest)) WITHOUT ROWID;
  CREATE TABLE segments (id INTEGER PRIMARY KEY, chunks INTEGER NOT NULL);
  CREATE TABLE postings (segment INTEGER NOT NULL, word TEXT NOT NULL, runs BLOB NOT NULL, PRIMARY KEY (segment, word))
    WITHOUT ROWID;
  CREATE TABLE symbols (id INTEGER PRIMARY KEY, name TEXT NOT NULL, folded TEXT NOT NULL, chunk INTEGER NOT NULL);
  CREATE INDEX symbols_by_name ON symbols (folded);
  CREATE INDEX symbols_by_chunk ON symbols (chunk);
  CREATE VIRTUAL TABLE symbol_grams USING fts5 (name, content = '', contentless_delete = 1, tokenize = 'trigram');
  PRAGMA user_version = ${SCHEMA_VERSION};`;
