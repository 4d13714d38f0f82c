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
import { type PinnedFolder, pinFolder } from "./opened-place.ts";

/**
 * A change of one file, by its real path, without links in it. `bytes`: its new content, absent where it is removed.
 * `before`: the file as it was read, absent for a new one. `like`: whose mode and owner a new file gets.
 */
export type FileEdit = { realPath: string; bytes?: Buffer; before?: BigIntStats; like?: BigIntStats };

/** Another program changed the file between reading and writing it. */
export class WriteConflictError extends Error {}

/** Its other names are to show the new content as well. */
function hasOtherNames({ bytes, before }: FileEdit): boolean {
  return bytes !== undefined && before !== undefined && before.nlink > 1n;
}

/**
 * A change that has everything on disk that needs space: the new content beside its place and, with `keepsOld`, a
 * second name for the old one. Only renames remain to be done, or to be taken back.
 */
export class PreparedChange {
  readonly #change: FileEdit;
  readonly #made: string[];
  readonly #folder: PinnedFolder;
  readonly #target: string;
  readonly #fresh: string;
  readonly #old: string;
  #placed: BigIntStats | undefined;
  #isMade = false;

  /** Throws what the disk reports; nothing is left behind then. `enter` is called with the open folder. */
  constructor(
    change: FileEdit,
    { keepsOld }: { keepsOld: boolean },
    enter: (folder: PinnedFolder, path: string) => void,
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

  /** Throws `WriteConflictError` when the file or its folder are not what they were. */
  check(): void {
    const { before } = this.#change;
    const now = lstatSync(this.#target, { bigint: true, throwIfNoEntry: false });
    if (!this.#folder.isInPlace() || !isSame(now, before)) throw new WriteConflictError();
  }

  /** Puts it in place; returns the file as it is then, undefined where it is removed. */
  carryOut(): BigIntStats | undefined {
    this.check();
    if (!this.#change.bytes) unlinkSync(this.#target);
    else if (hasOtherNames(this.#change)) this.#fill(this.#fresh);
    else renameSync(this.#fresh, this.#target);
    this.#isMade = true;
    this.#placed = lstatSync(this.#target, { bigint: true, throwIfNoEntry: false });
    return this.#placed;
  }

  /** False: the file could not be put back as it was. A change that was not carried out needs nothing. */
  takeBack(): boolean {
    if (!this.#isMade) return true;
    try {
      const now = lstatSync(this.#target, { bigint: true, throwIfNoEntry: false });
      // A later change by another program stays.
      if (!isSame(now, this.#placed)) return false;
      if (hasOtherNames(this.#change)) this.#fill(this.#old);
      else if (this.#change.before) renameSync(this.#old, this.#target);
      else unlinkSync(this.#target);
      this.#isMade = false;
      return true;
    } catch {
      return false;
    }
  }

  /** Removes what was only needed on the way. */
  end(): void {
    removeIfThere(this.#fresh);
    removeIfThere(this.#old);
    this.#folder.close();
    if (!this.#isMade) removeEmpty(this.#made);
  }

  /** Both contents are beside the file meanwhile, and still there after a crash. */
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

/** One level at a time: some file systems answer a recursive attempt in a way that Node repeats for ever. */
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
      // Something else is in it by now.
      return;
    }
  }
}

function attributesOf({ before, like = before }: FileEdit) {
  if (!like) return { mode: 0o666 };
  return { mode: Number(like.mode) & 0o7777, owner: { uid: Number(like.uid), gid: Number(like.gid) } };
}

/** Not every file system has a second name for a file, and not every file may have one. */
function keep(target: string, old: string): void {
  try {
    linkSync(target, old);
  } catch (error) {
    if (errorCode(error) === "ENOENT") throw new WriteConflictError();
    copyFileSync(target, old, constants.COPYFILE_EXCL);
  }
}

function isSame(now: BigIntStats | undefined, before: BigIntStats | undefined): boolean {
  if (!before || !now) return before === now;
  return now.ino === before.ino && now.mtimeNs === before.mtimeNs && now.size === before.size;
}
