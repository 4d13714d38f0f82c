import { randomBytes } from "node:crypto";
import { closeSync, constants, fsyncSync, readdirSync, renameSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode, openRegularFile, syncFolder } from "@harness/host";

/**
 * Moves a folder, if need be to another disk: the copy is complete before the original is removed, and nobody sees half
 * of it. Links stay links. Throws file system errors.
 */
export async function moveFolder(from: string, to: string): Promise<void> {
  try {
    renameSync(from, to);
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    await copyFolder(from, to);
    const trash = join(dirname(from), `.trash-${basename(from)}-${randomBytes(4).toString("hex")}`);
    renameSync(from, trash);
    await rm(trash, { recursive: true, force: true });
  }
  syncFolder(dirname(to));
  syncFolder(dirname(from));
}

async function copyFolder(from: string, to: string): Promise<void> {
  const draft = join(dirname(to), `.trash-${basename(to)}-${randomBytes(4).toString("hex")}`);
  try {
    await cp(from, draft, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, errorOnExist: true });
    for (const entry of readdirSync(draft, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) sync(join(entry.parentPath, entry.name));
    renameSync(draft, to);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

function sync(path: string): void {
  const fd = openRegularFile(path, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
