import { closeSync, constants, readSync } from "node:fs";
import { openRegularFile } from "@harness/host";

const CHUNK_BYTES = 256 * 1024;
/** Fits a header with the longest possible path. */
const MAX_FIRST_BYTES = 32 * 1024;
const LF = 10;

/** Adjacent lines with the LFs between them, but without the last LF. `bytes` are valid only during a call. */
type LineBatch = {
  bytes: Buffer;
  /** Offset in the file. */
  offset: number;
  /** False if the file ends without an LF after the last line. */
  ended: boolean;
};

type VisitLine = (bytes: Buffer, offset: number, ended: boolean) => void;

/**
 * Passes on the lines of a file without their LF, in bounded memory (a chunk and the longest line). `bytes` are valid
 * only during the call. `ended` is false for a last line without LF. Throws file system errors.
 */
export function forEachLine(path: string, from: number, visit: VisitLine): void {
  forLinesTogether(path, from, (lines) => eachOf(lines, visit));
}

/** The first line without its LF, or the beginning of a very long first line. Throws file system errors. */
export function readFirstLine(path: string): Buffer {
  const fd = openRegularFile(path, constants.O_RDONLY);
  try {
    const begin = Buffer.allocUnsafe(MAX_FIRST_BYTES);
    const bytes = begin.subarray(0, readSync(fd, begin, 0, begin.length, 0));
    const end = bytes.indexOf(LF);
    return end < 0 ? bytes : bytes.subarray(0, end);
  } finally {
    closeSync(fd);
  }
}

/** The same, for all lines of a chunk at once. */
export function forLinesTogether(path: string, from: number, visit: (lines: LineBatch) => void): void {
  const fd = openRegularFile(path, constants.O_RDONLY);
  try {
    readLines(fd, from, visit);
  } finally {
    closeSync(fd);
  }
}

/** Passes the lines on one by one, without their LF. */
export function eachOf({ bytes, offset, ended }: LineBatch, visit: VisitLine): void {
  let start = 0;
  for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
    visit(bytes.subarray(start, end), offset + start, true);
    start = end + 1;
  }
  visit(bytes.subarray(start), offset + start, ended);
}

function readLines(fd: number, from: number, visit: (lines: LineBatch) => void): void {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  /** The incomplete line at the end of the chunk. */
  let begun: Buffer[] = [];
  let offset = from;
  let position = from;
  for (let read = readSync(fd, chunk, 0, CHUNK_BYTES, position); read > 0; ) {
    const filled = chunk.subarray(0, read);
    const end = filled.lastIndexOf(LF);
    if (end >= 0) {
      const whole = filled.subarray(0, end);
      const bytes = begun.length > 0 ? Buffer.concat([...begun, whole]) : whole;
      begun = [];
      visit({ bytes, offset, ended: true });
      offset += bytes.length + 1;
    }
    if (end + 1 < read) begun.push(Buffer.from(filled.subarray(end + 1)));
    position += read;
    read = readSync(fd, chunk, 0, CHUNK_BYTES, position);
  }
  if (begun.length > 0) visit({ bytes: Buffer.concat(begun), offset, ended: false });
}
