import { dirname } from "node:path";
import { makePrivateFolder, syncFolder } from "@harness/host";
import type { Disk } from "../disk.ts";

/**
 * Appends lines to one agent's log. After `append`, either the whole line is in the file, or the file is unchanged and
 * a file system error is thrown; the next `append` tries again.
 */
export class LogWriter {
  readonly #path: string;
  readonly #disk: Disk;
  /** Written before the first line of an empty file. */
  readonly #header: () => Buffer;
  #fd: number | undefined;
  /** Up to here, the file consists of whole lines. */
  #goodBytes = 0;
  /** A failed write may have left bytes that could not be cut off yet. */
  #tornTail = false;
  /** Written, but possibly not flushed. */
  #unsynced = false;
  /** The file is new: a crash of the machine may still lose its name. */
  #unnamed = false;

  constructor(path: string, disk: Disk, header: () => Buffer) {
    this.#path = path;
    this.#disk = disk;
    this.#header = header;
  }

  get goodBytes(): number {
    return this.#goodBytes;
  }

  /** Returns the offset of the line in the file, in bytes. */
  append(line: Buffer, { durable }: { durable: boolean }): number {
    const fd = this.#open();
    this.#needNamed(fd);
    if (this.#tornTail) this.#cut(fd);
    const bytes = this.#goodBytes === 0 ? Buffer.concat([this.#header(), line]) : line;
    try {
      this.#writeWhole(fd, bytes);
      if (durable) this.#disk.sync(fd);
    } catch (error) {
      this.#tornTail = true;
      this.#cutQuietly(fd);
      throw error;
    }
    this.#unnamed ||= this.#goodBytes === 0;
    this.#goodBytes += bytes.length;
    this.#unsynced = !durable;
    if (durable) this.#syncNames();
    return this.#goodBytes - line.length;
  }

  /** Flushes what was appended; free if there is nothing to flush. */
  sync(): void {
    if (!this.#unsynced || this.#fd === undefined) return;
    this.#disk.sync(this.#fd);
    this.#unsynced = false;
    this.#syncNames();
  }

  /** Cuts off what an interrupted write left behind, and ends a last line that lacks its LF. */
  repair(keepBytes: number, { open }: { open: boolean }): void {
    const fd = this.#open();
    this.#goodBytes = Math.min(this.#goodBytes, keepBytes);
    this.#cut(fd);
    if (!open) return;
    this.#writeWhole(fd, Buffer.from("\n"));
    this.#goodBytes += 1;
  }

  /** The current size and time of the file. */
  stat(): { sizeBytes: number; modifiedMs: number } {
    return this.#disk.stat(this.#open());
  }

  /** Closes the file; the next `append` opens it again. Never throws. */
  rest(): void {
    const fd = this.#fd;
    if (fd === undefined) return;
    try {
      this.sync();
      if (this.#tornTail) this.#cut(fd);
    } catch {
      // The next process that opens the log removes a torn tail, and a failed flush has already been tried.
    }
    this.#fd = undefined;
    try {
      this.#disk.close(fd);
    } catch {
      // The file is closed either way.
    }
  }

  #open(): number {
    if (this.#fd !== undefined) return this.#fd;
    makePrivateFolder(dirname(this.#path));
    const fd = this.#disk.open(this.#path);
    if (!this.#tornTail) this.#goodBytes = this.#disk.stat(fd).sizeBytes;
    this.#fd = fd;
    return fd;
  }

  #writeWhole(fd: number, bytes: Buffer): void {
    for (let done = 0; done < bytes.length; ) {
      const written = this.#disk.write(fd, bytes, done, bytes.length - done);
      if (written <= 0) throw new Error("the file system wrote nothing and gave no reason");
      done += written;
    }
  }

  /** Writing into a removed file would look like success and lose everything. */
  #needNamed(fd: number): void {
    if (this.#disk.stat(fd).links > 0) return;
    this.#fd = undefined;
    this.#goodBytes = 0;
    this.#tornTail = false;
    this.#unsynced = false;
    this.#disk.close(fd);
    throw new Error("the file was removed while the session was open; what comes next is written to a new one");
  }

  #cut(fd: number): void {
    // Truncating a shorter file would fill it up with NULs.
    if (this.#disk.stat(fd).sizeBytes > this.#goodBytes) this.#disk.truncate(fd, this.#goodBytes);
    this.#tornTail = false;
  }

  #cutQuietly(fd: number): void {
    try {
      this.#cut(fd);
    } catch {
      // Tried again before the next line.
    }
  }

  #syncNames(): void {
    if (!this.#unnamed) return;
    this.#unnamed = false;
    syncFolder(dirname(this.#path));
    syncFolder(dirname(dirname(this.#path)));
  }
}
