import { closeSync, constants, readSync } from "node:fs";
import { openRegularFile } from "@harness/host";

const CHUNK_BYTES = 256 * 1024;
const LF = 10;

type Visit = (bytes: Buffer, offset: number, ended: boolean) => void;

/**
 * Hands out the lines of a file without their LF, in bounded memory (a chunk and the longest line). `bytes` are valid
 * during the call only. `ended` is false for a last line without LF. Throws what the file system throws.
 */
export function forEachLine(path: string, from: number, visit: Visit): void {
  forEachRun(path, from, (bytes, offset, ended) => linesOf(bytes, offset, ended, visit));
}

/** The same of as many lines at once as there are in a chunk, with the LF between them and without the last one. */
export function forEachRun(path: string, from: number, visit: Visit): void {
  const fd = openRegularFile(path, constants.O_RDONLY);
  try {
    readRuns(fd, from, visit);
  } finally {
    closeSync(fd);
  }
}

/** The lines of a run. */
export function linesOf(run: Buffer, offset: number, ended: boolean, visit: Visit): void {
  let start = 0;
  for (let end = run.indexOf(LF); end >= 0; end = run.indexOf(LF, start)) {
    visit(run.subarray(start, end), offset + start, true);
    start = end + 1;
  }
  visit(run.subarray(start), offset + start, ended);
}

function readRuns(fd: number, from: number, visit: Visit): void {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  /** The beginning of a line. */
  let begun: Buffer[] = [];
  let offset = from;
  let position = from;
  for (let read = readSync(fd, chunk, 0, CHUNK_BYTES, position); read > 0; ) {
    const filled = chunk.subarray(0, read);
    const end = filled.lastIndexOf(LF);
    if (end >= 0) {
      const whole = filled.subarray(0, end);
      const run = begun.length > 0 ? Buffer.concat([...begun, whole]) : whole;
      begun = [];
      visit(run, offset, true);
      offset += run.length + 1;
    }
    if (end + 1 < read) begun.push(Buffer.from(filled.subarray(end + 1)));
    position += read;
    read = readSync(fd, chunk, 0, CHUNK_BYTES, position);
  }
  if (begun.length > 0) visit(Buffer.concat(begun), offset, false);
}
