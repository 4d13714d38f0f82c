import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readRegularFile, writeOwnFile } from "@harness/host";
import { finishFilling } from "./safe-filling.ts";

/** Prefix of files that are being written; they get their names once they are complete. */
export const UNFINISHED = ".harness-undo-";
/** Prefix of scratch folders in the store. */
export const SCRATCH = "merge-";

/** Exists in the store while files are reverted, and records what a killed undo may leave behind. */
const UNFINISHED_FILE = "undo-at-work.json";

/** Enough for the folders of a very large undo. */
const MAX_BYTES = 64 * 1024 * 1024;

export type UnfinishedRevert = {
  /** The prefix of its half-written files. */
  prefix: string;
  done(): void;
};

/** `folders`: the absolute folders in which files will be written. Throws file system errors. */
export function beginRevert(gitDir: string, folders: ReadonlySet<string>): UnfinishedRevert {
  const prefix = `${UNFINISHED}${randomBytes(6).toString("hex")}-`;
  const path = join(gitDir, UNFINISHED_FILE);
  writeOwnFile(path, JSON.stringify({ prefix, folders: [...folders] }), { mode: 0o600 });
  return { prefix, done: () => rmSync(path, { force: true }) };
}

export function hasUnfinishedRevert(gitDir: string): boolean {
  return existsSync(join(gitDir, UNFINISHED_FILE));
}

/**
 * Finishes the files that a killed undo was writing in place, and removes its leftovers. Only for the holder of the
 * store's lock. Never throws.
 */
export function removeUnfinishedRevert(gitDir: string): void {
  if (!hasUnfinishedRevert(gitDir)) return;
  const { prefix, folders } = readUnfinished(gitDir);
  for (const folder of folders) {
    if (prefix !== "") finishFilling(folder, prefix);
    removeBeginning(folder, prefix);
  }
  removeBeginning(gitDir, SCRATCH);
  rmSync(join(gitDir, UNFINISHED_FILE), { force: true });
}

function readUnfinished(gitDir: string): { prefix: string; folders: string[] } {
  try {
    const { prefix, folders } = JSON.parse(
      readRegularFile(join(gitDir, UNFINISHED_FILE), { maxBytes: MAX_BYTES, followLinks: false }).toString("utf8"),
    );
    const isOurs = typeof prefix === "string" && new RegExp(`^\\${UNFINISHED}[0-9a-f]{12}-$`).test(prefix);
    if (isOurs && Array.isArray(folders))
      return { prefix, folders: folders.filter((each) => typeof each === "string") };
  } catch {
    // It was killed while writing this file, before it had created anything.
  }
  return { prefix: "", folders: [] };
}

function removeBeginning(folder: string, prefix: string): void {
  try {
    for (const name of readdirSync(folder)) {
      if (name.startsWith(prefix)) rmSync(join(folder, name), { recursive: true, force: true });
    }
  } catch {
    // The folder no longer exists, or we may no longer write it.
  }
}
