import { closeSync, constants, fdatasyncSync, fstatSync, ftruncateSync, writeSync } from "node:fs";
import { openRegularFile } from "@harness/host";

/** The calls that put a log on disk; tests make them fail. Each throws file system errors. */
export type Disk = {
  /** Opens for appending, private to this user; creates a missing file. */
  open(path: string): number;
  /** Returns the number of written bytes, which may be fewer than requested. */
  write(fd: number, bytes: Buffer, offset: number, length: number): number;
  /** Asks about the open file, not its name: `links` is 0 for a file removed in the meantime. */
  stat(fd: number): { sizeBytes: number; modifiedMs: number; links: number };
  sync(fd: number): void;
  truncate(fd: number, length: number): void;
  close(fd: number): void;
};

const APPEND = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT;

export const realDisk: Disk = {
  open: (path) => openRegularFile(path, APPEND, 0o600),
  write: (fd, bytes, offset, length) => writeSync(fd, bytes, offset, length),
  stat(fd) {
    const { size, mtimeMs, nlink } = fstatSync(fd);
    return { sizeBytes: size, modifiedMs: mtimeMs, links: nlink };
  },
  sync: fdatasyncSync,
  truncate: ftruncateSync,
  close: closeSync,
};
