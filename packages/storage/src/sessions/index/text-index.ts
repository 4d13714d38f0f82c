import type { DatabaseSync } from "node:sqlite";
import { DamagedDatabaseError, sqlite } from "@harness/host";
import type { SessionHit } from "@harness/protocol";
import { indexedText, type SearchTerm } from "./search-words.ts";

/** A file of another version is rebuilt. */
const VERSION = 2;
/** The event loop must not wait for another process; busy work is retried later. */
const BUSY_MS = 20;
const WAL_BYTES = 4 * 1024 * 1024;
/** Further matches are neither counted nor ranked. */
const MAX_RANKED = 20_000;
/** FTS5 merges a fixed number of pages at a time: small ones, because nothing else runs meanwhile. */
const PAGE_BYTES = 500;
const KINDS = ["message", "answer", "command", "file"] as const;

/**
 * How much of a session is indexed. `stamp`: of its logs when everything was indexed; "" if only facts up to `seq` are.
 * `check`: distinguishes the fact `seq` from another with the same number.
 */
export type IndexedSession = { stamp: string; seq: number; check: string };

export type IndexedText = { seq: number; at: string; kind: SessionHit["kind"]; text: string };

/** The next facts of a session, or all of them if it is new. */
export type IndexStep = {
  sessionId: string;
  /** The state when the step was prepared; if it has changed since, another process was faster. */
  before: IndexedSession | undefined;
  after: IndexedSession;
  texts: IndexedText[];
};

/** `score`: better is higher. */
export type IndexHit = { sessionId: string; seq: number; kind: SessionHit["kind"]; score: number };

export type IndexQuery = {
  terms: readonly SearchTerm[];
  /** True if a text must have all terms. */
  isAll: boolean;
  /** Limits the search to these sessions. */
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
  CREATE TABLE seal (id INTEGER PRIMARY KEY, texts TEXT NOT NULL, entries INTEGER NOT NULL);
  INSERT INTO seal VALUES (1, '', 0);
  CREATE INDEX entries_of_session ON entries (session);
  CREATE VIRTUAL TABLE texts USING fts5 (
    body, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
  );
  INSERT INTO texts (texts, rank) VALUES ('pgsz', ${PAGE_BYTES});
  PRAGMA user_version = ${VERSION};`;

/** Changes with the texts: their numbers of rows and words, and the list of segments. */
const STATE = `coalesce((SELECT group_concat(hex(block), ' ') FROM
  (SELECT block FROM texts_data WHERE id IN (1, 10) ORDER BY id)), '')`;

/**
 * The full-text index in its database. It stores no text, only which words are in which fact. Several processes may use
 * the file. Methods throw SQLite errors.
 */
export class TextIndex {
  readonly #db: DatabaseSync;
  #known: { version: unknown; sessions: ReadonlyMap<string, IndexedSession> } | undefined;
  /** Entries added minus entries removed by the current transaction. */
  #added = 0;

  /**
   * Opens an existing file, which may be empty. Undefined if this version of Node has no SQLite. `maxPages`: the
   * maximum size.
   */
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
    this.#check({ isCounted: true });
    this.known();
  }

  #version(): unknown {
    return this.#db.prepare("PRAGMA user_version").get()?.user_version;
  }

  #make(): void {
    this.#write(() => {
      // Another process may have created it in the meantime.
      const version = this.#version();
      if (version === VERSION) return;
      for (const name of ["texts", "entries", "sessions", "seal"]) this.#db.exec(`DROP TABLE IF EXISTS ${name}`);
      this.#db.exec(SCHEMA);
    });
  }

  known(): ReadonlyMap<string, IndexedSession> {
    // Changes when another process writes.
    const { data_version: version } = this.#db.prepare("PRAGMA data_version").get() ?? {};
    if (this.#known && this.#known.version === version) return this.#known.sessions;
    this.#check({ isCounted: false });
    const sessions = this.#readKnown();
    this.#known = { version, sessions };
    return sessions;
  }

  /**
   * Each of our transactions leaves a seal. A seal that no longer fits means that another program has written, and may
   * have removed entries that searches should find. Entries are counted only once, because that is slow.
   */
  #check({ isCounted }: { isCounted: boolean }): void {
    const { isSame, entries } = this.#db.prepare(`SELECT texts = ${STATE} AS isSame, entries FROM seal`).get() ?? {};
    const count = () => this.#db.prepare("SELECT count(*) AS count FROM entries").get()?.count;
    if (isSame !== 1 || (isCounted && count() !== entries))
      throw new DamagedDatabaseError("another program has changed it");
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

  /** Stores all steps or none, skipping those that came too late. */
  add(steps: readonly IndexStep[]): void {
    this.#write(() => {
      for (const step of steps) this.#add(step);
    });
  }

  #add({ sessionId, before, after, texts }: IndexStep): void {
    const row = this.#db.prepare("SELECT id, stamp, seq FROM sessions WHERE name = ?").get(sessionId);
    if (row?.stamp !== before?.stamp || row?.seq !== before?.seq) return;
    const id = row ? Number(row.id) : this.#insertSession(sessionId);
    const entry = this.#db.prepare("INSERT INTO entries (session, seq, kind, at) VALUES (?, ?, ?, ?)");
    const body = this.#db.prepare("INSERT INTO texts (rowid, body) VALUES (?, ?)");
    for (const { seq, at, kind, text } of texts) {
      const { lastInsertRowid } = entry.run(id, seq, KINDS.indexOf(kind), Date.parse(at) || 0);
      body.run(lastInsertRowid, indexedText(text));
      this.#added += 1;
    }
    const { stamp, seq, check } = after;
    this.#db.prepare("UPDATE sessions SET stamp = ?, seq = ?, mark = ? WHERE id = ?").run(stamp, seq, check, id);
  }

  #insertSession(sessionId: string): number | bigint {
    const insert = this.#db.prepare("INSERT INTO sessions (name, stamp, seq, mark) VALUES (?, '', 0, '')");
    return insert.run(sessionId).lastInsertRowid;
  }

  /**
   * Removes a session that is gone or must be read again: at most so many entries per call, and the session with the
   * last ones. Until then it counts as not indexed. Returns true once it is gone.
   */
  dropPart(sessionId: string, count: number): boolean {
    return this.#write(() => {
      const row = this.#db.prepare("SELECT id FROM sessions WHERE name = ?").get(sessionId);
      if (!row) return true;
      const id = Number(row.id);
      const some = "SELECT id FROM entries WHERE session = ? ORDER BY id DESC LIMIT ?";
      this.#db.prepare(`DELETE FROM texts WHERE rowid IN (${some})`).run(id, count);
      const { changes } = this.#db.prepare(`DELETE FROM entries WHERE id IN (${some})`).run(id, count);
      this.#added -= Number(changes);
      const isGone = Number(changes) < count;
      if (isGone) this.#db.prepare("DELETE FROM sessions WHERE id = ?").run(id);
      else this.#db.prepare("UPDATE sessions SET stamp = '', seq = 0, mark = '' WHERE id = ?").run(id);
      return isGone;
    });
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
    const some = `SELECT 1 FROM ${joined} WHERE ${condition} LIMIT ${MAX_RANKED + 1}`;
    const { count } = this.#db.prepare(`SELECT count(*) AS count FROM (${some})`).get(...values) ?? {};
    // A word that occurs everywhere says little, and ranking would visit each occurrence: the newest matches are shown
    // instead.
    const isEverywhere = Number(count) > MAX_RANKED;
    const score = isEverywhere ? "0" : "bm25(texts)";
    const newest = isEverywhere ? `ORDER BY texts.rowid DESC LIMIT ${limit}` : "";
    const ranked = `SELECT texts.rowid AS id, ${score} AS score FROM ${joined} WHERE ${condition} ${newest}`;
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
    if (hits.length < Math.min(limit, Number(count))) throw new DamagedDatabaseError("entries are missing");
    return { hits, count: Number(count) };
  }

  close(): void {
    this.#db.close();
  }

  #write<T>(work: () => T): T {
    this.#known = undefined;
    this.#added = 0;
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      const done = work();
      // Beginning a savepoint makes FTS5 write what it has buffered.
      this.#db.exec("SAVEPOINT gathered; RELEASE gathered");
      this.#db.prepare(`UPDATE seal SET texts = ${STATE}, entries = entries + ?`).run(this.#added);
      this.#db.exec("COMMIT");
      return done;
    } catch (error) {
      // A full disk may have ended the transaction already.
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }
}

/** An FTS5 phrase. Its words consist of letters and digits. */
function matchText({ words, isBegin }: SearchTerm): string {
  const phrase = `"${words.join(" ")}"`;
  // The whole word is rarer than its beginning, so it ranks higher.
  return isBegin ? `(${phrase} OR ${phrase} *)` : phrase;
}
