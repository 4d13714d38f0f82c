import { closeSync, constants, readSync } from "node:fs";
import { openRegularFile } from "@harness/host";

const CHUNK_BYTES = 256 * 1024;
const LF = 10;

/**
 * Hands out the lines of a file without their LF, in bounded memory (a chunk and the longest line). `bytes` are valid
 * during the call only. `ended` is false for a last line without LF. Throws what the file system throws.
 */
export function forEachLine(
  path: string,
  from: number,
  visit: (bytes: Buffer, offset: number, ended: boolean) => void,
): void {
  const fd = openRegularFile(path, constants.O_RDONLY);
  try {
    readLines(fd, from, visit);
  } finally {
    closeSync(fd);
  }
}

function readLines(fd: number, from: number, visit: (bytes: Buffer, offset: number, ended: boolean) => void): void {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let begun: Buffer[] = [];
  let offset = from;
  let position = from;
  for (let read = readSync(fd, chunk, 0, CHUNK_BYTES, position); read > 0; ) {
    const filled = chunk.subarray(0, read);
    let start = 0;
    for (let end = filled.indexOf(LF); end >= 0; end = filled.indexOf(LF, start)) {
      const piece = filled.subarray(start, end);
      const line = begun.length > 0 ? Buffer.concat([...begun, piece]) : piece;
      begun = [];
      visit(line, offset, true);
      offset += line.length + 1;
      start = end + 1;
    }
    if (start < read) begun.push(Buffer.from(filled.subarray(start)));
    position += read;
    read = readSync(fd, chunk, 0, CHUNK_BYTES, position);
  }
  if (begun.length > 0) visit(Buffer.concat(begun), offset, false);
}
