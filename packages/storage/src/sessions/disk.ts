import { closeSync, constants, fdatasyncSync, fstatSync, ftruncateSync, writeSync } from "node:fs";
import { openRegularFile } from "@harness/host";

/** The calls that put a log on disk; a test lets them fail. Each throws what the file system throws. */
export type Disk = {
  /** Opens for appending, this user's alone; makes the file when it is missing. */
  open(path: string): number;
  /** Returns the number of written bytes, which may be fewer than requested. */
  write(fd: number, bytes: Buffer, offset: number, length: number): number;
  /** Resolves names no more: a file that was removed meanwhile has `links` 0. */
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
