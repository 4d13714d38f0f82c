import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { errorCode } from "./error-code.ts";

/** `before`: the expected file. `source` and `old`: files next to it with its new and its old content. */
type FillOptions = { before: { ino: bigint }; source: string; old: string };

/**
 * Writes into the file itself, so that its hard links stay intact. Returns false if it has become a different file.
 * After a failure the old content is restored before it throws. A file without write permission is replaced, like a
 * file with a single name.
 */
export function fillFile(path: string, { before, source, old }: FillOptions): boolean {
  let file: number;
  try {
    file = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW);
  } catch (error) {
    if (errorCode(error) !== "EACCES" && errorCode(error) !== "EPERM") throw error;
    renameSync(source, path);
    return true;
  }
  try {
    if (fstatSync(file, { bigint: true }).ino !== before.ino) return false;
    try {
      fill(file, readFileSync(source));
    } catch (error) {
      // The space for it is already allocated.
      fill(file, readFileSync(old));
      throw error;
    }
    return true;
  } finally {
    closeSync(file);
  }
}

function fill(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at, at);
  ftruncateSync(file, bytes.length);
  fsyncSync(file);
}
