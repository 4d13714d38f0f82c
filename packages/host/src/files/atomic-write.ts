import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "./error-code.ts";

export type AtomicWriteOptions = {
  /** Permission bits; the process's mask applies unless `owner` is given. Default: this user alone. */
  mode?: number;
  /** The owner of the file that it replaces: the new file gets the same owner, and exactly `mode`. */
  owner?: Owner;
  /** The part that is on disk on return: the content, or its name in the folder too. Derived files need neither. */
  durable?: "content" | "name";
};

export type AtomicWrite = AtomicWriteOptions & {
  /** The path under which it is written until it is complete; in the same folder. */
  temporary?: string;
  /** Called when the file is complete, just before it takes its place. Throws to leave everything as it is. */
  beforeRename?: () => void;
};

/** A replacement that a last look may still refuse. */
export type LookedAt = AtomicWrite & Required<Pick<AtomicWrite, "beforeRename">>;

/** Replaces a file that others may change, if it is still what it was: `beforeRename` looks, and throws where it is not. */
export function replaceIfStill(path: string, content: string | Buffer, options: LookedAt): void {
  writeAtomically(path, content, options);
}

type Owner = { uid: number; gid: number };

/** Replaces a file wholly or not at all. Throws what the file system throws; nothing is left behind then. */
export function writeAtomically(path: string, content: string | Buffer, options: AtomicWrite = {}): void {
  const temporary = options.temporary ?? besideOf(path);
  putInPlace({ path, temporary, make: () => writeDraft(temporary, content, options), ...options });
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

/** A name beside a file, for what is to take its place. */
export function besideOf(path: string): string {
  return `${path}.${process.pid}-${randomBytes(4).toString("hex")}.tmp`;
}

/**
 * Makes a file that must not exist yet, wholly or not at all: it has its name only when it is complete. Throws what the
 * file system throws, `EEXIST` where there is one, and leaves nothing behind then.
 */
export function writeNewFile(path: string, content: string | Buffer, options: AtomicWriteOptions = {}): void {
  const temporary = besideOf(path);
  try {
    writeDraft(temporary, content, options);
    nameOnce(temporary, path);
  } finally {
    removeIfThere(temporary);
  }
  if (options.durable === "name") syncFolder(dirname(path));
}

/** Gives a file its name unless that is taken. Some file systems have no hard links; two processes may then take the same name in the same moment. */
export function nameOnce(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw error;
    if (existsSync(path)) throw Object.assign(new Error(`${path} exists`), { code: "EEXIST", path });
    renameSync(temporary, path);
  }
}

/** Makes a file under a name of its own. Throws what the file system throws; what it began may be left behind then. */
export function writeDraft(path: string, content: string | Buffer, options: AtomicWriteOptions): void {
  try {
    writeTo(path, content, options);
  } catch (error) {
    // Errors on a descriptor lack the path, which people need.
    if (errorCode(error) !== undefined && error instanceof Error && !("path" in error)) Object.assign(error, { path });
    throw error;
  }
}

function writeTo(path: string, content: string | Buffer, { mode = 0o600, owner, durable }: AtomicWriteOptions): void {
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
