import { closeSync, constants, fchmodSync, fstatSync, readSync, type Stats, writeSync } from "node:fs";
import { dirname } from "node:path";
import { errorCode } from "./error-code.ts";
import { makePrivateFolder } from "./private-folder.ts";
import { openRegularFile } from "./regular-file.ts";

const OTHERS = 0o077;
const APPEND = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;

/**
 * Appends a line to a file of this user alone and returns the size of the file. One write a line, so that several
 * processes may share the file. Throws when the line is not wholly in it.
 */
export function appendLine(path: string, line: string): number {
  const fd = openForAppending(path);
  try {
    const stat = fstatSync(fd);
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
    return openRegularFile(path, APPEND, 0o600);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    makePrivateFolder(dirname(path));
    return openRegularFile(path, APPEND, 0o600);
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
