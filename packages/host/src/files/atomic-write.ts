import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

export type NewFile = {
  /** Permission bits; the process's mask applies unless `owner` is given. Default: this user alone. */
  mode?: number;
  /** Whose file it takes the place of: it gets the same owner, and exactly `mode`. */
  owner?: Owner;
  /** The part that is on disk on return: the content, or its name in the folder too. Derived files need neither. */
  durable?: "content" | "name";
};

export type AtomicWrite = NewFile & {
  /** The path under which it is written until it is complete; in the same folder. */
  temporary?: string;
  /** Called when the file is complete, just before it takes its place. Throws to leave everything as it is. */
  beforeRename?: () => void;
};

type Owner = { uid: number; gid: number };

/** Replaces a file wholly or not at all. Throws what the file system throws; nothing is left behind then. */
export function writeAtomically(path: string, content: string | Buffer, options: AtomicWrite = {}): void {
  const temporary = options.temporary ?? `${path}.${process.pid}-${randomBytes(4).toString("hex")}.tmp`;
  putInPlace({ path, temporary, make: () => writeNewFile(temporary, content, options), ...options });
  if (options.durable === "name") syncFolder(dirname(path));
}

type Placement = { path: string; temporary: string; make(): void; beforeRename?: () => void };

/** Makes something under a temporary name and renames it; the temporary name is gone whatever happens. */
export function putInPlace({ path, temporary, make, beforeRename }: Placement): void {
  try {
    make();
    beforeRename?.();
    renameSync(temporary, path);
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  }
}

/** Makes a file that must not exist yet. Throws what the file system throws; what it began may be left behind then. */
export function writeNewFile(path: string, content: string | Buffer, { mode = 0o600, owner, durable }: NewFile): void {
  // A copy stays private until it has the owner and the mode of its original.
  const fd = openSync(path, "wx", owner ? mode & 0o700 : mode);
  try {
    writeFileSync(fd, content);
    if (owner) {
      giveTo(fd, owner);
      fchmodSync(fd, mode);
    }
    if (durable) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Where harness runs as another user, as root in a container, a person's file stays theirs. */
function giveTo(fd: number, { uid, gid }: Owner): void {
  const now = fstatSync(fd);
  if (now.uid === uid && now.gid === gid) return;
  try {
    fchownSync(fd, uid, gid);
  } catch {
    // Only root may give files away; for everybody else the writer becomes the owner, as with any editor.
  }
}

/** Makes new names in a folder durable, where the file system can do that. */
export function syncFolder(path: string): void {
  let fd: number | undefined;
  try {
    fd = openSync(path, "r");
    fsyncSync(fd);
  } catch {
    // Some file systems cannot sync a folder; the content of the file is already synced.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Removes a file; false when it could not. */
export function removeIfThere(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}
