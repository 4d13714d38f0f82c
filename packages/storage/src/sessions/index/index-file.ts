import { closeSync, constants, existsSync, lstatSync, readSync, rmSync, type Stats } from "node:fs";
import { dirname } from "node:path";
import {
  DamagedDatabaseError,
  errorCode,
  isDamagedDatabase,
  isDatabaseBusy,
  makePrivateFolder,
  openRegularFile,
  othersProblem,
  sqlite,
  writeNewFile,
} from "@harness/host";

import { TextIndex } from "./text-index.ts";

/** The outcome of work with the index: `busy` = another process is writing; `none` = there is no usable index. */
export type IndexAnswer<T> = { value: T } | "busy" | "none";

const MAGIC = "SQLite format 3\0";

/**
 * The file of the full-text index. Anyone may delete, replace or damage it at any time: it is then rebuilt, or there is
 * none if that fails.
 */
export class IndexFile {
  readonly #path: string;
  readonly #maxPages: number | undefined;
  #discarded = 0;
  #opened: { index: TextIndex; ino: number } | undefined;

  /** `maxPages`: its maximum size, to test a full disk. */
  constructor(path: string, maxPages?: number) {
    this.#path = path;
    this.#maxPages = maxPages;
  }

  /** Never throws errors of the file system or the database. */
  use<T>(work: (index: TextIndex) => T): IndexAnswer<T> {
    for (let attempt = 0; attempt < 2; attempt += 1) {
      try {
        const index = this.#open();
        return index ? { value: work(index) } : "none";
      } catch (error) {
        if (isDatabaseBusy(error)) return "busy";
        this.close();
        if (!isDamagedDatabase(error) || attempt > 0 || !this.#discard()) return "none";
      }
    }
    return "none";
  }

  /** How often the file was removed as damaged. */
  get discarded(): number {
    return this.#discarded;
  }

  close(): void {
    const opened = this.#opened;
    this.#opened = undefined;
    try {
      opened?.index.close();
    } catch {
      // Entries not written by then are indexed again.
    }
  }

  #open(): TextIndex | undefined {
    if (!sqlite()) return undefined;
    const stats = this.#stats();
    const opened = this.#opened;
    // If the file was emptied, SQLite would continue with the files beside it, and lock other processes out.
    if (opened && stats?.ino === opened.ino && stats.size > 0) return opened.index;
    this.close();
    if (stats && !this.#isDatabase(stats)) throw new DamagedDatabaseError("it is no database");
    const made = stats ?? this.#make();
    if (made === undefined) return undefined;
    const index = TextIndex.open(this.#path, this.#maxPages);
    if (index) this.#opened = { index, ino: made.ino };
    return index;
  }

  /** Not while the file is open here: closing it a second time would release SQLite's locks. */
  #isDatabase({ size }: Stats): boolean {
    if (size === 0) return !existsSync(`${this.#path}-wal`);
    const start = Buffer.alloc(MAGIC.length);
    const fd = openRegularFile(this.#path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      readSync(fd, start, 0, start.length, 0);
    } finally {
      closeSync(fd);
    }
    return start.toString("latin1") === MAGIC;
  }

  /** Undefined if there is no file. Throws if it is not a file of this user alone. */
  #stats(): Stats | undefined {
    const stats = lstatSync(this.#path, { throwIfNoEntry: false });
    if (!stats) return undefined;
    if (!stats.isFile()) throw new Error("it is not a regular file");
    const problem = othersProblem(this.#path, stats, "who could have searches find anything");
    if (problem !== undefined) throw new Error(problem);
    return stats;
  }

  /** An empty private file; SQLite gives the files beside it the same mode. */
  #make(): Stats | undefined {
    makePrivateFolder(dirname(this.#path));
    try {
      writeNewFile(this.#path, "");
    } catch (error) {
      // Another process has created it in the meantime.
      if (errorCode(error) !== "EEXIST") throw error;
    }
    return this.#stats();
  }

  #discard(): boolean {
    this.#discarded += 1;
    try {
      for (const path of [this.#path, `${this.#path}-wal`, `${this.#path}-shm`]) rmSync(path, { force: true });
      return true;
    } catch {
      return false;
    }
  }
}
