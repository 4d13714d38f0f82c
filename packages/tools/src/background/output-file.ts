import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { decodedOutput } from "../encodings/decoded-output.ts";
import type { EncodingSettings } from "../encodings/file-encoding.ts";

/** A larger file loses its oldest part, down to `KEPT_BYTES`. */
const MAX_FILE_BYTES = 20_000_000;
const KEPT_BYTES = 5_000_000;
const COPIED_BYTES = 256 * 1024;

type OutputOptions = EncodingSettings & { readonly maxBytes?: number };
export type OutputPart = { bytes: Buffer; offset: number; nextOffset: number };

/**
 * The file that a process prints to by itself, so that it can outlive us. Offsets count everything that was printed,
 * including what the cap has removed. Methods throw file system errors.
 */
export class OutputFile {
  readonly path: string;
  readonly #maxBytes: number;
  readonly #settings: EncodingSettings;
  readonly #descriptor: number;
  /** Bytes that are no longer in the file. */
  #removed = 0;

  /** Opens an existing file of our own. */
  constructor(path: string, { maxBytes = MAX_FILE_BYTES, ...settings }: OutputOptions = {}) {
    this.path = path;
    this.#maxBytes = maxBytes;
    this.#settings = settings;
    this.#descriptor = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_NOFOLLOW);
  }

  /** For the process: everything is appended, even after the file was cut. */
  get descriptor(): number {
    return this.#descriptor;
  }

  /** Bytes printed so far. */
  get end(): number {
    return this.#removed + fstatSync(this.#descriptor).size;
  }

  /** The output from `offset` on, or from the first byte still in the file. */
  read(offset: number, maxBytes: number): OutputPart {
    const { end } = this;
    // A program that opens /dev/stdout by name empties the file.
    const start = offset > end ? this.#removed : Math.max(offset, this.#removed);
    const buffer = Buffer.alloc(Math.min(maxBytes, end - start));
    const length = readSync(this.#descriptor, buffer, 0, buffer.length, start - this.#removed);
    return { bytes: buffer.subarray(0, length), offset: start, nextOffset: start + length };
  }

  /** Bytes that were read, as text. */
  decode(bytes: Buffer): string {
    return decodedOutput(bytes, this.#settings);
  }

  /**
   * Removes the oldest part of a file that has grown too large while the process keeps printing. Output in the
   * microseconds between the last read and the cut is lost, but the order stays intact.
   */
  cut(): void {
    const { size, ino } = fstatSync(this.#descriptor);
    if (size <= this.#maxBytes) return;
    // Linux appends all writes to a descriptor like ours, even those with a position.
    const file = openSync(this.path, constants.O_RDWR | constants.O_NOFOLLOW);
    try {
      if (fstatSync(file).ino !== ino) return;
      const from = size - Math.min(KEPT_BYTES, this.#maxBytes / 4);
      ftruncateSync(file, copyToStart(file, from));
      this.#removed += from;
    } finally {
      closeSync(file);
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}

/** Copies everything from `from` on, including output printed meanwhile, to the beginning; returns its length. */
function copyToStart(file: number, from: number): number {
  const buffer = Buffer.alloc(COPIED_BYTES);
  for (let length = 0; ; ) {
    const read = readSync(file, buffer, 0, COPIED_BYTES, from + length);
    // Bytes must be read before they are overwritten: if a program prints faster than we copy, the rest is lost.
    if (read === 0 || length + read > from) return length;
    for (let done = 0; done < read; ) done += writeSync(file, buffer, done, read - done, length + done);
    length += read;
  }
}
