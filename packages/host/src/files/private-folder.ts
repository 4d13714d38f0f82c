import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "./error-code.ts";

/** Creates the folder and its missing parents, for this user alone. Throws the file system's errors. */
export function makePrivateFolder(path: string): void {
  makeFolder(path, 0o700);
}

/**
 * Creates a folder and its missing parents, one level after another. Node's own `recursive` never returns if the system
 * answers ENOENT for a folder whose parent exists, as below /proc and in some automounted homes.
 */
export function makeFolder(path: string, mode = 0o777): void {
  const missing: string[] = [];
  let folder = path;
  while (!exists(folder)) {
    missing.push(folder);
    if (dirname(folder) === folder) break;
    folder = dirname(folder);
  }
  // If there is a file in place of the folder, this makes the system report it.
  if (missing.length === 0 && !statSync(path).isDirectory()) mkdirSync(path);
  for (const each of missing.reverse()) makeOne(each, mode);
}

function makeOne(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (errorCode(error) !== "EEXIST" || !statSync(path).isDirectory()) throw error;
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
