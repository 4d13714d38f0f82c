import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from "node:fs";

export type RegularFileReading = {
  maxBytes: number;
  /** Also opens what a link leads to. */
  followLinks: boolean;
  /** Called before anything is read; throws to refuse the file. */
  check?: (fd: number, stats: Stats) => void;
};

/**
 * Reads a regular file without ever blocking: a named pipe is opened without waiting for its writer, and then refused.
 * Throws what the file system throws, and an error with a message for anything else that cannot be read.
 */
export function readRegularFile(path: string, { maxBytes, followLinks, check }: RegularFileReading): Buffer {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (followLinks ? 0 : constants.O_NOFOLLOW));
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw new Error("it is not a regular file");
    if (stats.size > maxBytes) throw new Error(`it is larger than ${amount(maxBytes)}`);
    check?.(fd, stats);
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

function amount(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes} bytes` : `${Math.floor(bytes / 1024 / 1024)} MB`;
}
