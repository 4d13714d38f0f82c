import { randomBytes } from "node:crypto";
import {
  type BigIntStats,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import { errorCode, fillFile, removeIfThere, writeDraft } from "@harness/host";
import type { OpenBuffer } from "../buffers/file-buffers.ts";
import { type PinnedFolder, pinFolder } from "../files/opened-place.ts";

/**
 * A change of one file, by its real path without links. `bytes`: its new content; absent: it is removed. `before`: the
 * file as it was read; absent: it is new. `like`: the file whose mode and owner a new file gets. `buffer`: the file in
 * the editor, as it was read.
 */
export type FileEdit = {
  realPath: string;
  bytes?: Buffer;
  before?: BigIntStats;
  like?: BigIntStats;
  buffer?: OpenBuffer | undefined;
};

/** Another program changed the file between reading and writing it. */
export class WriteConflictError extends Error {}

/** Its other hard links must get the new content as well. */
function hasOtherNames({ bytes, before }: FileEdit): boolean {
  return bytes !== undefined && before !== undefined && before.nlink > 1n;
}

/**
 * A change with everything that needs space already on disk: the new content next to its place and, with `keepsOld`, a
 * second name for the old one. Only renames remain, to carry it out or to undo it.
 */
export class PreparedChange {
  #change: FileEdit;
  readonly #made: string[];
  readonly #folder: PinnedFolder;
  readonly #target: string;
  readonly #fresh: string;
  readonly #old: string;
  #placed: BigIntStats | undefined;
  #isMade = false;

  /** Throws disk errors and leaves nothing behind then. `enter` is called with the open folder. */
  constructor(
    change: FileEdit,
    { keepsOld }: { keepsOld: boolean },
    enter: (folder: PinnedFolder, path: string) => void = () => undefined,
  ) {
    this.#change = change;
    const path = dirname(change.realPath);
    this.#made = change.before ? [] : makeFolders(path);
    this.#folder = this.#pin(path);
    this.#target = this.#folder.entry(basename(change.realPath));
    this.#fresh = this.#folder.entry(temporaryName());
    this.#old = this.#folder.entry(temporaryName());
    try {
      enter(this.#folder, path);
      if (change.bytes) writeDraft(this.#fresh, change.bytes, { ...attributesOf(change), durable: "content" });
      if (hasOtherNames(change)) copyFileSync(this.#target, this.#old, constants.COPYFILE_EXCL);
      else if (keepsOld && change.before) keep(this.#target, this.#old);
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** The file has been written on behalf of this change, and is replaced as it is now. */
  follow(now: BigIntStats): void {
    this.#change = { ...this.#change, before: now };
  }

  /** Throws `WriteConflictError` if the file or its folder has changed. */
  check(): void {
    const { before } = this.#change;
    const now = lstatSync(this.#target, { bigint: true, throwIfNoEntry: false });
    if (!this.#folder.isInPlace() || !isSameFile(now, before)) throw new WriteConflictError();
  }

  /** Puts it in place; returns the resulting file; undefined: it was removed. */
  carryOut(): BigIntStats | undefined {
    this.check();
    if (!this.#change.bytes) unlinkSync(this.#target);
    else if (hasOtherNames(this.#change)) this.#fill(this.#fresh);
    else renameSync(this.#fresh, this.#target);
    this.#isMade = true;
    this.#placed = this.placed();
    return this.#placed;
  }

  /** The file in its place now. */
  placed(): BigIntStats | undefined {
    return lstatSync(this.#target, { bigint: true, throwIfNoEntry: false });
  }

  /** False: the file could not be restored. A change that was not carried out needs nothing. */
  takeBack(): boolean {
    if (!this.#isMade) return true;
    try {
      const now = lstatSync(this.#target, { bigint: true, throwIfNoEntry: false });
      // A later change by another program stays.
      if (!isSameFile(now, this.#placed)) return false;
      if (hasOtherNames(this.#change)) this.#fill(this.#old);
      else if (this.#change.before) renameSync(this.#old, this.#target);
      else unlinkSync(this.#target);
      this.#isMade = false;
      return true;
    } catch {
      return false;
    }
  }

  /** Removes intermediate files. */
  end(): void {
    removeIfThere(this.#fresh);
    removeIfThere(this.#old);
    this.#folder.close();
    if (!this.#isMade) removeEmpty(this.#made);
  }

  /** Both contents are next to the file meanwhile, and still there after a crash. */
  #fill(source: string): void {
    const { before } = this.#change;
    if (!before || !fillFile(this.#target, { before, source, old: this.#old })) throw new WriteConflictError();
  }

  #pin(path: string): PinnedFolder {
    let folder: PinnedFolder | undefined;
    try {
      folder = pinFolder(path);
    } finally {
      if (!folder) removeEmpty(this.#made);
    }
    if (!folder) throw new WriteConflictError();
    return folder;
  }
}

function temporaryName(): string {
  return `.harness-${randomBytes(6).toString("hex")}.tmp`;
}

/** One level at a time: on some file systems Node repeats a recursive attempt forever. */
function makeFolders(path: string): string[] {
  const missing: string[] = [];
  for (let at = path; !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.unshift(at);
  const made: string[] = [];
  try {
    for (const folder of missing) {
      mkdirSync(folder);
      made.push(folder);
    }
  } catch (error) {
    removeEmpty(made);
    throw error;
  }
  return made;
}

function removeEmpty(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // It contains something else by now.
      return;
    }
  }
}

function attributesOf({ before, like = before }: FileEdit) {
  if (!like) return { mode: 0o666 };
  return { mode: Number(like.mode) & 0o7777, owner: { uid: Number(like.uid), gid: Number(like.gid) } };
}

/** Not every file system supports hard links, and not every file may have one. */
function keep(target: string, old: string): void {
  try {
    linkSync(target, old);
  } catch (error) {
    if (errorCode(error) === "ENOENT") throw new WriteConflictError();
    copyFileSync(target, old, constants.COPYFILE_EXCL);
  }
}

/** True if nothing has written the file since. */
export function isSameFile(now: BigIntStats | undefined, before: BigIntStats | undefined): boolean {
  if (!before || !now) return before === now;
  return now.ino === before.ino && now.mtimeNs === before.mtimeNs && now.size === before.size;
}
