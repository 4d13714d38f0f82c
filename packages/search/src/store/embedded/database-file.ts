import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { DamagedDatabaseError, isDamagedDatabase, sqlite } from "@harness/host";
import { SCHEMA, SCHEMA_VERSION } from "./schema.ts";

/** Another process may be writing a batch of files. */
const BUSY_MS = 5_000;
const CACHE_KIB = 16_384;

/** The database of an index. Methods throw SQLite's errors. */
export class DatabaseFile {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  private constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** For a process that writes: makes the file, also in place of a damaged one or of one from another version. */
  static make(path: string): DatabaseFile {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    for (let attempt = 0; ; attempt += 1) {
      try {
        const opened = opening(path);
        if (opened.version === 0) opened.db.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`);
        else if (opened.version !== SCHEMA_VERSION) {
          opened.db.close();
          throw new DamagedDatabaseError("it is from another version of harness");
        }
        return new DatabaseFile(opened.db);
      } catch (error) {
        if (!isDamagedDatabase(error) || attempt > 0) throw error;
        removeDatabase(path);
      }
    }
  }

  /** For a process that only reads; undefined if there is no index of this version. */
  static find(path: string): DatabaseFile | undefined {
    try {
      const { db, version } = opening(path, { readOnly: true });
      if (version === SCHEMA_VERSION) return new DatabaseFile(db);
      db.close();
      return undefined;
    } catch {
      return undefined;
    }
  }

  /** A statement that is compiled once. */
  run(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** A statement for one use. */
  once(sql: string): StatementSync {
    return this.#db.prepare(sql);
  }

  /** Stored when it returns, or not at all. */
  write<T>(work: () => T): T {
    return this.#within("BEGIN IMMEDIATE", work);
  }

  /** All statements see the same state. */
  read<T>(work: () => T): T {
    return this.#within("BEGIN", work);
  }

  #within<T>(begin: string, work: () => T): T {
    this.#db.exec(begin);
    try {
      const value = work();
      this.#db.exec("COMMIT");
      return value;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    if (this.#db.isOpen) this.#db.close();
  }
}

/** How many files an index has; 0 if there is none. */
export function countFiles(path: string): number {
  const db = DatabaseFile.find(path);
  try {
    return Number(db?.run("SELECT count(*) AS files FROM files").get()?.files ?? 0);
  } catch {
    return 0;
  } finally {
    db?.close();
  }
}

/** Removes a database with the files beside it. */
export function removeDatabase(path: string): void {
  for (const end of ["", "-wal", "-shm", ".commits"]) rmSync(`${path}${end}`, { force: true });
}

function opening(path: string, options: { readOnly?: boolean } = {}): { db: DatabaseSync; version: number } {
  const Sqlite = sqlite();
  if (!Sqlite) throw new Error("The index needs a version of Node with SQLite (node:sqlite).");
  const db = new Sqlite.DatabaseSync(path, { timeout: BUSY_MS, ...options });
  try {
    if (!options.readOnly) db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    const { user_version: version } = Object(db.prepare("PRAGMA user_version").get()) as { user_version?: unknown };
    return { db, version: Number(version) };
  } catch (error) {
    db.close();
    throw error;
  }
}
