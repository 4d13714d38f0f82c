import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { type FactPage, MAX_PAGE_LENGTH } from "@harness/core";
import { errorCode, openRegularFile } from "@harness/host";
import type { StoredFact } from "@harness/protocol";
import { agentFolders } from "../session-folder.ts";
import { decodeLine } from "./log-line.ts";

/** Fits a page, and some lines of the usual length before it. */
const END_BYTES = 4 * MAX_PAGE_LENGTH;
const LF = 10;

/**
 * A log that is read backwards. `line`: the last line not taken yet; undefined: none is left in the part that was read.
 */
type LogEnd = { rest: Buffer; line: FactLine | undefined };

type FactLine = { fact: StoredFact; length: number };

/**
 * The last page of a session, read from the ends of its logs at a cost that does not grow with the session. Undefined
 * if only a full read can tell: a line is damaged or being written, a number is missing, or the last facts are its
 * parent's. Throws file system errors.
 */
export function lastPage(dir: string, limit: number): FactPage | undefined {
  const ends = agentFolders(dir).map(({ log }) => endOf(log));
  if (ends.includes(undefined)) return undefined;
  const logs = ends.filter((end) => end !== undefined);
  const facts: StoredFact[] = [];
  let length = 0;
  for (;;) {
    const newest = logs.reduce((best, log) => (seqOf(log) > seqOf(best) ? log : best));
    const { line } = newest;
    const first = facts[0]?.seq;
    if (first === 1) return { facts, more: false };
    if (!line || (first !== undefined && line.fact.seq !== first - 1)) return undefined;
    length += line.length;
    if (facts.length >= limit || (facts.length > 0 && length > MAX_PAGE_LENGTH)) return { facts, more: true };
    facts.unshift(line.fact);
    if (!step(newest)) return undefined;
  }
}

function seqOf({ line }: LogEnd): number {
  return line?.fact.seq ?? 0;
}

/** Undefined if the last line is not whole. */
function endOf(path: string): LogEnd | undefined {
  const bytes = readEnd(path);
  if (bytes.length > 0 && bytes.at(-1) !== LF) return undefined;
  const end: LogEnd = { rest: bytes, line: undefined };
  return step(end) ? end : undefined;
}

/** Whole lines up to the end. A child that crashed before its first line has none. */
function readEnd(path: string): Buffer {
  try {
    const fd = openRegularFile(path, constants.O_RDONLY);
    try {
      const { size } = fstatSync(fd);
      const from = Math.max(0, size - END_BYTES);
      const bytes = Buffer.alloc(size - from);
      const read = bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from));
      return from === 0 ? read : read.subarray(read.indexOf(LF) + 1);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (errorCode(error) === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}

/** Moves to the line before; false if that is not a fact. */
function step(log: LogEnd): boolean {
  const { rest } = log;
  log.line = undefined;
  if (rest.length === 0) return true;
  const start = rest.lastIndexOf(LF, rest.length - 2) + 1;
  const bytes = rest.subarray(start, -1);
  const decoded = decodeLine(bytes, { checked: true });
  log.rest = rest.subarray(0, start);
  if (decoded.kind === "fact") log.line = { fact: decoded.fact, length: bytes.length };
  return decoded.kind === "fact" || (decoded.kind === "header" && start === 0);
}
