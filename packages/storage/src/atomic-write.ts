import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Replaces a file whole or not at all, readable by this user alone; throws what the file system throws. `durable` also
 * waits for the disk: derived files, which can be made again, do without.
 */
export function writeAtomically(path: string, content: string | Buffer, durable: boolean): void {
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString("hex")}.tmp`;
  try {
    const fd = openSync(temporary, "wx", 0o600);
    try {
      writeFileSync(fd, content);
      if (durable) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, path);
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  }
  if (durable) syncFolder(dirname(path));
}

/** Makes new names in a folder durable, where the file system can do that. */
export function syncFolder(path: string): void {
  let fd: number | undefined;
  try {
    fd = openSync(path, "r");
    fsyncSync(fd);
  } catch {
    // Some file systems refuse to sync a folder; the file's own content is synced by then.
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
