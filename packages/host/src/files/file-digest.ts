import { createHash } from "node:crypto";
import { closeSync, constants, createReadStream, readSync } from "node:fs";
import { openRegularFile } from "./regular-file.ts";

const PIECE_BYTES = 1024 * 1024;

/** The SHA-256 of a regular file of any size, in hex. Throws the file system's errors. */
export function digestOf(path: string): string {
  const fd = openRegularFile(path, constants.O_RDONLY);
  try {
    const hash = createHash("sha256");
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    for (let read = readSync(fd, piece); read > 0; read = readSync(fd, piece)) hash.update(piece.subarray(0, read));
    return hash.digest("hex");
  } finally {
    closeSync(fd);
  }
}

/** The same without blocking the process: for programs, which may be large. Rejects with the file system's errors. */
export async function digestMeanwhile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path, { fd: openRegularFile(path, constants.O_RDONLY) }))
    hash.update(piece);
  return hash.digest("hex");
}
