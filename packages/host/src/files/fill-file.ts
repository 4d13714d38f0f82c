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

/** `before`: the file that it is. `source` and `old`: files beside it with its new and its old content. */
type Filling = { before: { ino: bigint }; source: string; old: string };

/**
 * Writes into a file itself, so that its other names stay names of it. False: it is another file by now. What fails on the way
 * is put back before it is thrown. A file that may not be written is replaced, as one with a single name is.
 */
export function fillFile(path: string, { before, source, old }: Filling): boolean {
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
      // It has this room already.
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
