import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "./error-code.ts";

/** Makes the folder and the missing ones above it, for this user alone. Throws what the file system throws. */
export function makePrivateFolder(path: string): void {
  makeFolder(path, 0o700);
}

/**
 * Makes a folder and the missing ones above it, one level after another. Node's own `recursive` never returns where the
 * system answers ENOENT for a folder whose parent exists, as below /proc and in some automounted homes.
 */
export function makeFolder(path: string, mode = 0o777): void {
  const missing: string[] = [];
  let folder = path;
  while (!exists(folder)) {
    missing.push(folder);
    if (dirname(folder) === folder) break;
    folder = dirname(folder);
  }
  // A file in the place of the folder: the system says so.
  if (missing.length === 0 && !statSync(path).isDirectory()) mkdirSync(path);
  for (const each of missing.reverse()) makeOne(each, mode);
}

function makeOne(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (errorCode(error) !== "EEXIST" || !statSync(path).isDirectory()) throw error;
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
