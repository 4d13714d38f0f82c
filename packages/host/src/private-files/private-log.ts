import { closeSync, constants, existsSync, readSync, renameSync, type Stats, statSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { removeIfThere } from "../files/atomic-write.ts";
import { errorCode } from "../files/error-code.ts";
import { makePrivateFolder } from "../files/private-folder.ts";
import { openedRegularFile } from "../files/regular-file.ts";
import type { HeldLock, Lock } from "../locks/lock-file.ts";
import { blockForLock, lockedProblem } from "../locks/wait-for-lock.ts";
import { closeToOthers } from "./file-access.ts";

/** `kept`: how many older files there are; `.1` is the newest of them. */
export type LogRotation = { maxBytes: number; kept: number };

const APPEND = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;
const LOCK_WAIT_MS = 1_000;

/**
 * Lines for this user alone in the configuration folder, only ever appended, by all harness processes of the user. A
 * line is one write, so that processes need no lock to share the file; rotating and clearing it take its lock.
 */
export class PrivateLog {
  readonly path: string;
  readonly #rotation: LogRotation | undefined;
  /** The file after our last line: as long as it has this size, it ends with that line. */
  #last: { inode: number; size: number } | undefined;

  /** Without a rotation the file only grows. Neither reads nor creates anything yet. */
  constructor(path: string, rotation?: LogRotation) {
    this.path = path;
    this.#rotation = rotation;
  }

  /** The file and the older ones, the newest first. */
  get files(): string[] {
    const kept = this.#rotation?.kept ?? 0;
    return [this.path, ...Array.from({ length: kept }, (_, index) => `${this.path}.${index + 1}`)];
  }

  /** Throws if the line could not be written completely. */
  append(line: string): void {
    const { fd, stats } = this.#openFor(line);
    try {
      if (stats.uid === process.getuid?.()) closeToOthers(fd, stats);
      const bytes = Buffer.from(this.#endsWithinLine(fd, stats) ? `\n${line}\n` : `${line}\n`);
      if (writeSync(fd, bytes) < bytes.length) throw new Error("the disk is full");
      this.#last = { inode: stats.ino, size: stats.size + bytes.length };
    } finally {
      closeSync(fd);
    }
  }

  /**
   * Replaces the log, including older files, with the line that `first` makes of them. Throws the file system's errors;
   * the old files are removed then as well.
   */
  async clear(first: (old: readonly string[]) => Promise<string>): Promise<{ problem: string } | undefined> {
    const lockPath = `${this.path}.lock`;
    const lock = blockForLock(lockPath, LOCK_WAIT_MS);
    if (!("release" in lock)) return { problem: lockedProblem(`${this.path} is`, lockPath, lock) };
    const old: string[] = [];
    try {
      // Renamed first: lines that others write meanwhile go to the new log, or are in the old one.
      for (const each of this.files.filter(existsSync)) {
        renameSync(each, `${each}.removed`);
        old.push(`${each}.removed`);
      }
      this.append(await first(old));
      return undefined;
    } finally {
      for (const each of old) removeIfThere(each);
      lock.release();
    }
  }

  /** Opens the file, or a new one if it is full. */
  #openFor(line: string): { fd: number; stats: Stats } {
    const opened = openForAppending(this.path);
    const moreBytes = Buffer.byteLength(line);
    if (!this.#isFull(opened.stats.size, moreBytes)) return opened;
    closeSync(opened.fd);
    this.#rotate(moreBytes);
    return openForAppending(this.path);
  }

  #isFull(size: number, moreBytes: number): boolean {
    return this.#rotation !== undefined && size > 0 && size + moreBytes > this.#rotation.maxBytes;
  }

  /** A line that a crash or a full disk has cut must not merge with the next one. */
  #endsWithinLine(fd: number, { ino, size }: Stats): boolean {
    if (size === 0 || (ino === this.#last?.inode && size === this.#last.size)) return false;
    const last = Buffer.alloc(1);
    return readSync(fd, last, 0, 1, size - 1) === 1 && last.toString() !== "\n";
  }

  /** Leaves the rotation to another process that is already doing it. */
  #rotate(moreBytes: number): void {
    let lock: Lock | HeldLock | undefined;
    try {
      lock = blockForLock(`${this.path}.lock`, 0);
      if (!("release" in lock) || !this.#isFull(statSync(this.path, { throwIfNoEntry: false })?.size ?? 0, moreBytes))
        return;
      const files = this.files.reverse();
      for (const [index, older] of files.entries()) {
        const newer = files[index + 1];
        if (newer !== undefined && existsSync(newer)) renameSync(newer, older);
      }
    } catch {
      // It grows beyond its size, and the next line tries again.
    } finally {
      if (lock && "release" in lock) lock.release();
    }
  }
}

function openForAppending(path: string): { fd: number; stats: Stats } {
  try {
    return openedRegularFile(path, APPEND, 0o600);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    makePrivateFolder(dirname(path));
    return openedRegularFile(path, APPEND, 0o600);
  }
}
