import type { FileHandle } from "node:fs/promises";

const PIECE_BYTES = 256 * 1024;

/** The message completes a sentence that begins with the file's path. */
export class BadFileError extends Error {}

/** Reads a file from its beginning, piece by piece, and never more than `limitBytes` of it. */
export class HeaderCursor {
  readonly #file: FileHandle;
  readonly #limitBytes: number;
  #bytes = Buffer.alloc(0);
  /** Position of the next byte in `#bytes`. */
  #at = 0;
  #readBytes = 0;

  constructor(file: FileHandle, limitBytes: number) {
    this.#file = file;
    this.#limitBytes = limitBytes;
  }

  /** Waits for the disk only if a new piece is needed: headers contain hundreds of thousands of small values. */
  has(count: number): boolean {
    return this.#bytes.length - this.#at >= count;
  }

  /** Throws `BadFileError` if the file ends before this many bytes. */
  async fill(count: number): Promise<void> {
    if (this.has(count)) return;
    const missing = Math.max(PIECE_BYTES, count - (this.#bytes.length - this.#at));
    if (this.#readBytes + missing > this.#limitBytes)
      throw new BadFileError("has a header that is larger than any real one");
    const piece = Buffer.allocUnsafe(missing);
    const { bytesRead } = await this.#file.read(piece, 0, missing, this.#readBytes);
    this.#readBytes += bytesRead;
    this.#bytes = Buffer.concat([this.#bytes.subarray(this.#at), piece.subarray(0, bytesRead)]);
    this.#at = 0;
    if (!this.has(count)) {
      if (bytesRead === 0)
        throw new BadFileError("ends in the middle of its header: it was cut off, or is still being copied");
      await this.fill(count);
    }
  }

  /** The bytes must be there, by `fill` or `has`. They are valid only until the next `fill`. */
  take(count: number): Buffer {
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
  }

  /** The length of the text that begins here, if it is already in memory. */
  peekLength(): number | undefined {
    return this.has(8) ? Number(this.#bytes.readBigUInt64LE(this.#at)) : undefined;
  }

  skip(count: number): void {
    const there = Math.min(count, this.#bytes.length - this.#at);
    this.#at += there;
    this.#readBytes += count - there;
    if (this.#readBytes > this.#limitBytes) throw new BadFileError("has a header that is larger than any real one");
  }
}
