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
  /** Permission bits; the process's umask applies unless `owner` is given. Default: this user alone. */
  mode?: number;
  /** The owner of the file that it replaces: the new file gets the same owner, and exactly `mode`. */
  owner?: Owner;
  /** The part that is durable on return: the content, or its name in the folder too. Derived files need neither. */
  durable?: "content" | "name";
};

export type AtomicWrite = AtomicWriteOptions & {
  /** The path under which it is written until it is complete; in the same folder. */
  temporary?: string;
  /** Called when the file is complete, right before it is renamed. May throw to leave everything as it is. */
  beforeRename?: () => void;
};

/** A replacement that a last check may still refuse. */
export type LookedAt = AtomicWrite & Required<Pick<AtomicWrite, "beforeRename">>;

/**
 * Replaces a file that others may change, provided that it is unchanged: `beforeRename` checks, and throws if it is
 * not.
 */
export function replaceIfStill(path: string, content: string | Buffer, options: LookedAt): void {
  writeAtomically(path, content, options);
}

type Owner = { uid: number; gid: number };

/** Replaces a file completely or not at all. Throws the file system's errors, and then leaves nothing behind. */
export function writeAtomically(path: string, content: string | Buffer, options: AtomicWrite = {}): void {
  const temporary = options.temporary ?? besideOf(path);
  putInPlace({ path, temporary, make: () => writeDraft(temporary, content, options), ...options });
  if (options.durable === "name") syncFolder(dirname(path));
}

type Placement = { path: string; temporary: string; make(): void; beforeRename?: () => void };

/** Creates something under a temporary name and renames it; the temporary name is removed whatever happens. */
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
 * Creates a file that must not exist yet, completely or not at all: it has its name only when it is complete. Throws
 * the file system's errors, `EEXIST` if the file exists, and then leaves nothing behind.
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

/** Creates a file under its own name. Throws the file system's errors; a partial file may be left behind then. */
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

/** If harness runs as a different user, such as root in a container, the user's file stays theirs. */
function giveTo(fd: number, { uid, gid }: Owner): void {
  const now = fstatSync(fd);
  if (now.uid === uid && now.gid === gid) return;
  try {
    fchownSync(fd, uid, gid);
  } catch {
    // Only root may give files away; for everybody else the writer becomes the owner, as with any editor.
  }
}

/** Makes new names in a folder durable, if the file system can do that. */
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

/** Removes a file; returns false if it could not. */
export function removeIfThere(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch {
    return false;
  }
}
