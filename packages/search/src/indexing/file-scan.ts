import { lstatSync } from "node:fs";
import { join } from "node:path";
import { unsettledMs } from "@harness/host";
import type { FileState } from "../store/index-store.ts";

/** A file on disk, not read yet. */
export type FileOnDisk = Omit<FileState, "digest">;

/** `changed`: new files, and those with another size or time than when they were indexed. */
export type FileScan = { changed: FileOnDisk[]; removed: string[] };

/**
 * Compares files with their states in the index, by size and time as git does. `paths`: all files of the folder,
 * relative to it; links and anything else but regular files count as removed. Never throws.
 */
export function scanFiles(folder: string, paths: readonly string[], known: ReadonlyMap<string, FileState>): FileScan {
  const changed: FileOnDisk[] = [];
  const there = new Set<string>();
  for (const path of paths) {
    const found = foundFile(folder, path);
    if (!found || there.has(path)) continue;
    there.add(path);
    if (!isSame(found, known.get(path))) changed.push(found);
  }
  return { changed, removed: [...known.keys()].filter((path) => !there.has(path)) };
}

/** The same for a few files: those that `paths` does not name stay as they are. */
export function scanSome(folder: string, paths: readonly string[], known: ReadonlyMap<string, FileState>): FileScan {
  const some = new Map(
    [...new Set(paths)].flatMap((path) => {
      const state = known.get(path);
      return state ? [[path, state] as const] : [];
    }),
  );
  return scanFiles(folder, paths, some);
}

function foundFile(folder: string, path: string): FileOnDisk | undefined {
  try {
    const stats = lstatSync(join(folder, path), { throwIfNoEntry: false });
    if (!stats?.isFile()) return undefined;
    return { path, sizeBytes: stats.size, mtimeMs: stats.mtimeMs };
  } catch {
    return undefined;
  }
}

function isSame(found: FileOnDisk, known: FileState | undefined): boolean {
  return known !== undefined && found.sizeBytes === known.sizeBytes && found.mtimeMs === known.mtimeMs;
}

/** The time to store for a file: one that no file has if it may change again without a new time. */
export function settledTime(mtimeMs: number, nowMs: number): number {
  return nowMs - mtimeMs <= unsettledMs(mtimeMs) ? -1 : mtimeMs;
}
