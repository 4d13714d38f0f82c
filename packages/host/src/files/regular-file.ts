import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";

export type RegularFileReading = {
  maxBytes: number;
  /** Also opens the target of a link. */
  followLinks: boolean;
  /** Called before anything is read; may throw to refuse the file. */
  check?: (fd: number, stats: Stats) => void;
};

/**
 * Reads a regular file without ever blocking: a named pipe is opened without waiting for its writer, and then refused.
 * Never holds more than `maxBytes`, whatever the size of the file says or becomes. Throws the file system's errors, and
 * an error with a message for anything else that cannot be read.
 */
export function readRegularFile(path: string, { maxBytes, followLinks, check }: RegularFileReading): Buffer {
  const { fd, stats } = openedRegularFile(path, constants.O_RDONLY | (followLinks ? 0 : constants.O_NOFOLLOW));
  try {
    if (stats.size > maxBytes) throw tooLarge(maxBytes);
    check?.(fd, stats);
    return readUpTo(fd, stats.size, maxBytes);
  } finally {
    closeSync(fd);
  }
}

/**
 * Opens a regular file with the flags of open(2), and never waits for the other end of a named pipe or a device. Throws
 * the file system's errors, and an error with a message for anything that is not a regular file.
 */
export function openRegularFile(path: string, flags: number, mode?: number): number {
  return openedRegularFile(path, flags, mode).fd;
}

/** The same, with its stats. */
export function openedRegularFile(path: string, flags: number, mode?: number): { fd: number; stats: Stats } {
  const fd = openSync(path, flags | constants.O_NONBLOCK, mode);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new Error("it is not a regular file");
    return { fd, stats };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Some file systems report 0 for files that are not empty, and a file may grow meanwhile. */
function readUpTo(fd: number, size: number, maxBytes: number): Buffer {
  const pieces: Buffer[] = [];
  let total = 0;
  for (let piece = Buffer.allocUnsafe(size + 1); ; piece = Buffer.allocUnsafe(64 * 1024)) {
    const read = readSync(fd, piece, 0, piece.length, null);
    if (read === 0) break;
    pieces.push(piece.subarray(0, read));
    total += read;
    if (total > maxBytes) throw tooLarge(maxBytes);
  }
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
}

function tooLarge(maxBytes: number): Error {
  return new Error(`it is larger than ${amount(maxBytes)}`);
}

function amount(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes} bytes` : `${Math.floor(bytes / 1024 / 1024)} MB`;
}
