import { closeSync, constants, fchmodSync, fstatSync, openSync, readSync, type Stats, writeSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "./error-code.ts";
import { makePrivateFolder } from "./private-folder.ts";

const OTHERS = 0o077;
// O_NONBLOCK: a named pipe in the file's place is opened or refused at once.
const APPEND = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;

/**
 * Appends a line to a file of this user alone and returns the size of the file. One write a line, so that several
 * processes may share the file. Throws when the line is not wholly in it.
 */
export function appendLine(path: string, line: string): number {
  const fd = openForAppending(path);
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error("it is not a regular file");
    closeToOthers(fd, stat);
    const bytes = Buffer.from(endsWithinLine(fd, stat.size) ? `\n${line}\n` : `${line}\n`);
    if (writeSync(fd, bytes) < bytes.length) throw new Error("the disk is full");
    return stat.size + bytes.length;
  } finally {
    closeSync(fd);
  }
}

function openForAppending(path: string): number {
  try {
    return openSync(path, APPEND, 0o600);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    makePrivateFolder(dirname(path));
    return openSync(path, APPEND, 0o600);
  }
}

function closeToOthers(fd: number, { mode, uid }: Stats): void {
  if ((mode & OTHERS) !== 0 && uid === process.getuid?.()) fchmodSync(fd, mode & 0o700);
}

/** A line that a crash or a full disk has cut must not swallow the next one. */
function endsWithinLine(fd: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last.toString() !== "\n";
}
