import type { DatabaseSync } from "node:sqlite";
import type { SessionHit } from "@harness/protocol";
import { indexedText, type SearchTerm } from "./search-words.ts";
import { DamagedIndexError, sqlite } from "./sqlite.ts";

/** A file of another version is made anew. */
const VERSION = 1;
/** The event loop must not wait for another process; what is busy is tried again later. */
const BUSY_MS = 20;
const WAL_BYTES = 4 * 1024 * 1024;
const MAX_RANKED = 20_000;
const KINDS = ["message", "answer", "command", "file"] as const;

/**
 * How much of a session is indexed. `stamp`: of its logs when all was; "": only up to `seq`. `check`: tells the fact `seq` from
 * a different one with its number.
 */
export type IndexedSession = { stamp: string; seq: number; check: string };

export type IndexedText = { seq: number; at: string; kind: SessionHit["kind"]; text: string };

/** More of a session, or all of it where nothing was known. */
export type IndexStep = {
  sessionId: string;
  /** As it was when the step was prepared; if it is another now, another process has been faster. */
  before: IndexedSession | undefined;
  after: IndexedSession;
  /** The entries so far are void. */
  startsOver: boolean;
  texts: IndexedText[];
};

/** `score`: better is higher. */
export type IndexHit = { sessionId: string; seq: number; kind: SessionHit["kind"]; score: number };

export type IndexQuery = {
  terms: readonly SearchTerm[];
  /** Must a text have all of the terms? */
  isAll: boolean;
  /** Only these sessions. */
  sessions?: readonly string[];
  sinceMs?: number;
  limit: number;
};

const SCHEMA = `
  CREATE TABLE sessions (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, stamp TEXT NOT NULL, seq INTEGER NOT NULL, mark TEXT NOT NULL
  );
  CREATE TABLE entries (
    id INTEGER PRIMARY KEY, session INTEGER NOT NULL, seq INTEGER NOT NULL, kind INTEGER NOT NULL, at INTEGER NOT NULL
  );
  CREATE INDEX entries_of_session ON entries (session);
  CREATE VIRTUAL TABLE texts USING fts5 (
    body, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
  );
  PRAGMA user_version = ${VERSION};`;

/**
 * The full-text index in its database. It keeps no text, only which words are in which fact. Several processes may use the
 * file. Methods throw the errors of SQLite.
 */
export class TextIndex {
  readonly #db: DatabaseSync;
  #known: { version: unknown; sessions: ReadonlyMap<string, IndexedSession> } | undefined;

  /** Opens a file that is there already, maybe empty. Undefined: this version of Node cannot. `maxPages`: of its size. */
  static open(path: string, maxPages?: number): TextIndex | undefined {
    const module = sqlite();
    if (!module) return undefined;
    const db = new module.DatabaseSync(path, { timeout: BUSY_MS });
    try {
      const index = new TextIndex(db);
      if (maxPages !== undefined) db.exec(`PRAGMA max_page_count = ${maxPages}`);
      return index;
    } catch (error) {
      db.close();
      throw error;
    }
  }

  private constructor(db: DatabaseSync) {
    this.#db = db;
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = ${WAL_BYTES};`);
    if (this.#version() !== VERSION) this.#make();
    this.known();
  }

  #version(): unknown {
    return this.#db.prepare("PRAGMA user_version").get()?.user_version;
  }

  #make(): void {
    this.#write(() => {
      // Another process may have made it meanwhile.
      const version = this.#version();
      if (version === VERSION) return;
      for (const name of ["texts", "entries", "sessions"]) this.#db.exec(`DROP TABLE IF EXISTS ${name}`);
      this.#db.exec(SCHEMA);
    });
  }

  known(): ReadonlyMap<string, IndexedSession> {
    // Changes with what other processes write.
    const { data_version: version } = this.#db.prepare("PRAGMA data_version").get() ?? {};
    if (this.#known && this.#known.version === version) return this.#known.sessions;
    const sessions = this.#readKnown();
    this.#known = { version, sessions };
    return sessions;
  }

  #readKnown(): Map<string, IndexedSession> {
    const rows = this.#db.prepare("SELECT name, stamp, seq, mark FROM sessions").all();
    return new Map(
      rows.map(({ name, stamp, seq, mark }) => [
        String(name),
        { stamp: String(stamp), seq: Number(seq), check: String(mark) },
      ]),
    );
  }

  /** All steps are stored, or none; without those that came too late. */
  add(steps: readonly IndexStep[]): void {
    this.#write(() => {
      for (const step of steps) this.#add(step);
    });
  }

  #add({ sessionId, before, after, startsOver, texts }: IndexStep): void {
    const row = this.#db.prepare("SELECT id, stamp, seq FROM sessions WHERE name = ?").get(sessionId);
    if (row?.stamp !== before?.stamp || row?.seq !== before?.seq) return;
    if (startsOver && row) this.#forget(Number(row.id));
    const known = startsOver ? undefined : row;
    const id = known ? Number(known.id) : this.#insertSession(sessionId);
    const entry = this.#db.prepare("INSERT INTO entries (session, seq, kind, at) VALUES (?, ?, ?, ?)");
    const body = this.#db.prepare("INSERT INTO texts (rowid, body) VALUES (?, ?)");
    for (const { seq, at, kind, text } of texts) {
      const { lastInsertRowid } = entry.run(id, seq, KINDS.indexOf(kind), Date.parse(at) || 0);
      body.run(lastInsertRowid, indexedText(text));
    }
    const { stamp, seq, check } = after;
    this.#db.prepare("UPDATE sessions SET stamp = ?, seq = ?, mark = ? WHERE id = ?").run(stamp, seq, check, id);
  }

  #insertSession(sessionId: string): number | bigint {
    const insert = this.#db.prepare("INSERT INTO sessions (name, stamp, seq, mark) VALUES (?, '', 0, '')");
    return insert.run(sessionId).lastInsertRowid;
  }

  /** Sessions that are gone, or are to be read again. */
  drop(sessionIds: readonly string[]): void {
    if (sessionIds.length === 0) return;
    this.#write(() => {
      const find = this.#db.prepare("SELECT id FROM sessions WHERE name = ?");
      for (const sessionId of sessionIds) {
        const row = find.get(sessionId);
        if (row) this.#forget(Number(row.id));
      }
    });
  }

  #forget(id: number): void {
    this.#db.prepare("DELETE FROM texts WHERE rowid IN (SELECT id FROM entries WHERE session = ?)").run(id);
    this.#db.prepare("DELETE FROM entries WHERE session = ?").run(id);
    this.#db.prepare("DELETE FROM sessions WHERE id = ?").run(id);
  }

  find({ terms, isAll, sessions, sinceMs, limit }: IndexQuery): { hits: IndexHit[]; count: number } {
    const match = terms.map(matchText).join(isAll ? " AND " : " OR ");
    const where = [
      "texts MATCH ?",
      sessions ? "entries.session IN (SELECT id FROM sessions WHERE name IN (SELECT value FROM json_each(?)))" : "",
      sinceMs === undefined ? "" : "entries.at >= ?",
    ];
    const values = [
      match,
      ...(sessions ? [JSON.stringify(sessions)] : []),
      ...(sinceMs === undefined ? [] : [sinceMs]),
    ];
    const isFiltered = values.length > 1;
    const joined = isFiltered ? "texts JOIN entries ON entries.id = texts.rowid" : "texts";
    const condition = where.filter((each) => each !== "").join(" AND ");
    const { count } =
      this.#db.prepare(`SELECT count(*) AS count FROM ${joined} WHERE ${condition}`).get(...values) ?? {};
    const matches = `SELECT texts.rowid AS id, bm25(texts) AS score FROM ${joined} WHERE ${condition}`;
    // A word that is everywhere tells little, and ranking all of its places takes long: the newest are ranked.
    const ranked = Number(count) > MAX_RANKED ? `${matches} ORDER BY texts.rowid DESC LIMIT ${MAX_RANKED}` : matches;
    const rows = this.#db
      .prepare(
        `SELECT sessions.name, entries.seq, entries.kind, best.score FROM
           (SELECT id, score FROM (${ranked}) ORDER BY score LIMIT ?) AS best
         JOIN entries ON entries.id = best.id JOIN sessions ON sessions.id = entries.session
         ORDER BY best.score, entries.at DESC`,
      )
      .all(...values, limit);
    const hits = rows.flatMap(({ name, seq, kind, score }) => {
      const known = KINDS[Number(kind)];
      return known ? [{ sessionId: String(name), seq: Number(seq), kind: known, score: -Number(score) }] : [];
    });
    if (hits.length < Math.min(limit, Number(count))) throw new DamagedIndexError("entries are missing");
    return { hits, count: Number(count) };
  }

  close(): void {
    this.#db.close();
  }

  #write(work: () => void): void {
    this.#known = undefined;
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      work();
      this.#db.exec("COMMIT");
    } catch (error) {
      // A full disk may have ended it already.
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }
}

/** A phrase of FTS5. Its words have letters and digits only. */
function matchText({ words, isBegin }: SearchTerm): string {
  const phrase = `"${words.join(" ")}"`;
  // The whole word is rarer than its beginning, so it ranks higher.
  return isBegin ? `(${phrase} OR ${phrase} *)` : phrase;
}
