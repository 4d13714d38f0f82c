import { closeSync, constants, fstatSync, readSync } from "node:fs";
import * as zlib from "node:zlib";
import { openRegularFile, readRegularFile, statIfThere } from "@harness/host";
import { byteSize } from "@harness/protocol";
import { parseForeignJson } from "../json-tree.ts";
import { isRow, type JsonRow } from "./json-values.ts";

/** A document is parsed as a whole. */
const MAX_DOCUMENT_BYTES = 64_000_000;
const MAX_UNPACKED_BYTES = 128 * 1024 * 1024;
/** Of a compressed file, for a glance. */
const PACKED_START_BYTES = 32 * 1024;
const MAX_START_BYTES = 16 * 1024 * 1024;
const MAX_LINE_BYTES = 32 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
const LF = 10;
const PART = { isPart: true };

/** Reads bytes from this position into a buffer; returns their number. */
type ReadBytes = (into: Buffer, place: number) => number;

/** A file of another program: JSON lines, read one by one, or a single JSON document. */
export class ForeignFile {
  readonly path: string;
  /** True for the beginning or the end of a file, which a list looks at. */
  readonly isPart: boolean;
  readonly #open: () => { read: ReadBytes; close(): void };
  /** The root of a document that is not in lines. */
  readonly #document: JsonRow | undefined;
  /** The number of lines that are not an object, or too long for a message. */
  brokenLines = 0;

  constructor(
    path: string,
    open: () => { read: ReadBytes; close(): void },
    { document, isPart = false }: { document?: JsonRow | undefined; isPart?: boolean } = {},
  ) {
    this.path = path;
    this.isPart = isPart;
    this.#open = open;
    this.#document = document;
  }

  /** The objects in the file, in order; each pass reads it again. Throws file system errors. */
  *rows(): Generator<JsonRow, void> {
    if (this.#document) {
      yield this.#document;
      return;
    }
    this.brokenLines = 0;
    const { read, close } = this.#open();
    try {
      for (const line of linesOf(read)) {
        const row = line === "too long" ? "broken" : rowIn(line.toString("utf8"));
        if (row === "broken") this.brokenLines += 1;
        else if (row !== undefined) yield row;
      }
    } finally {
      close();
    }
  }

  /** The first objects, from which the format is recognised. */
  first(count: number): JsonRow[] {
    const found: JsonRow[] = [];
    for (const row of this.rows()) if (found.push(row) >= count) break;
    return found;
  }
}

/** Opens the file, decompressing it if its name ends in `.zst`; a sentence if that fails. */
export function readForeignFile(path: string): ForeignFile | { problem: string } {
  try {
    if (path.endsWith(".zst")) return unpackedFile(path);
    const open = () => openedFile(path);
    if (hasLines(open)) return new ForeignFile(path, open);
    const bytes = statIfThere(path)?.size ?? 0;
    if (bytes > MAX_DOCUMENT_BYTES)
      return {
        problem: `${path} is one document of ${byteSize(bytes)}, and only ${byteSize(MAX_DOCUMENT_BYTES)} of one can be read: nothing was imported.`,
      };
    return new ForeignFile(path, open, { document: documentIn(path) });
  } catch (error) {
    return { problem: `${path} cannot be read: ${reasonOf(error)}.` };
  }
}

function openedFile(path: string): { read: ReadBytes; close(): void } {
  const fd = openRegularFile(path, constants.O_RDONLY);
  return { read: (into, place) => readSync(fd, into, 0, into.length, place), close: () => closeSync(fd) };
}

/** The lines of a file, one in memory at a time. Throws file system errors. */
export function* linesIn(path: string): Generator<Buffer | "too long", void> {
  const { read, close } = openedFile(path);
  try {
    yield* linesOf(read);
  } finally {
    close();
  }
}

/** The beginning of a file, and its end if the file is longer: enough for a list. */
export function readEnds(path: string, bytes: number): { start: ForeignFile; end: ForeignFile; isWhole: boolean } {
  const fd = openRegularFile(path, constants.O_RDONLY);
  try {
    if (path.endsWith(".zst")) {
      const start = unpackedStart(fd);
      return { start: fileOf(path, wholeLines(start), PART), end: fileOf(path, Buffer.alloc(0), PART), isWhole: false };
    }
    const { size } = fstatSync(fd);
    const start = Buffer.alloc(Math.min(size, bytes));
    readSync(fd, start, 0, start.length, 0);
    const end = Buffer.alloc(Math.min(size - start.length, bytes));
    readSync(fd, end, 0, end.length, size - end.length);
    // Whole lines only.
    return {
      start: fileOf(path, size <= bytes ? start : wholeLines(start), PART),
      end: fileOf(path, end.subarray(end.indexOf(LF) + 1), PART),
      isWhole: size <= bytes && size > 0,
    };
  } finally {
    closeSync(fd);
  }
}

function wholeLines(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.lastIndexOf(LF) + 1);
}

/**
 * The beginning of a compressed file; nothing if this version of Node cannot decompress it. Throws errors of `zlib`.
 */
function unpackedStart(fd: number): Buffer {
  if (!("zstdDecompressSync" in zlib)) return Buffer.alloc(0);
  const packed = Buffer.alloc(PACKED_START_BYTES);
  const count = readSync(fd, packed, 0, packed.length, 0);
  const finishFlush = zlib.constants.ZSTD_e_flush;
  return zlib.zstdDecompressSync(packed.subarray(0, count), { finishFlush, maxOutputLength: MAX_START_BYTES });
}

function unpackedFile(path: string): ForeignFile | { problem: string } {
  if (!("zstdDecompressSync" in zlib))
    return {
      problem: `${path} is compressed with zstd, which needs Node 22.15 or newer. Unpack it first: zstd -d FILE.`,
    };
  const packed = readRegularFile(path, { maxBytes: MAX_UNPACKED_BYTES, followLinks: true });
  return fileOf(path, zlib.zstdDecompressSync(packed, { maxOutputLength: MAX_UNPACKED_BYTES }), { isPart: false });
}

function fileOf(path: string, bytes: Buffer, { isPart }: { isPart: boolean }): ForeignFile {
  const read: ReadBytes = (into, place) => bytes.copy(into, 0, Math.min(place, bytes.length));
  const open = () => ({ read, close: () => undefined });
  const document = hasLines(open) ? "broken" : rowIn(bytes.toString("utf8"));
  return new ForeignFile(path, open, { document: document === "broken" ? undefined : document, isPart });
}

/** True if the first line is a complete object, and not the only one. */
function hasLines(open: () => { read: ReadBytes; close(): void }): boolean {
  const { read, close } = open();
  try {
    let count = 0;
    for (const line of linesOf(read)) {
      const row = line === "too long" ? "broken" : rowIn(line.toString("utf8"));
      count += 1;
      // A single line could be both: it is read as a document.
      if (count > 1) return true;
      if (row === "broken" && line !== "too long") return false;
    }
    return false;
  } finally {
    close();
  }
}

function documentIn(path: string): JsonRow | undefined {
  const bytes = readRegularFile(path, { maxBytes: MAX_DOCUMENT_BYTES, followLinks: true });
  const whole = rowIn(bytes.toString("utf8"));
  return whole === "broken" ? undefined : whole;
}

/** The lines, one in memory at a time; lines too long for a message are dropped. */
function* linesOf(read: ReadBytes): Generator<Buffer | "too long", void> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let begun: Buffer[] = [];
  let length = 0;
  const line = (rest: Buffer): Buffer | "too long" => {
    const isTooLong = length + rest.length > MAX_LINE_BYTES;
    const whole = isTooLong ? undefined : Buffer.concat([...begun, rest]);
    begun = [];
    length = 0;
    return whole ?? "too long";
  };
  let place = 0;
  for (let count = read(chunk, place); count > 0; count = read(chunk, place)) {
    place += count;
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0 && end < count; end = chunk.indexOf(LF, start)) {
      yield line(chunk.subarray(start, end));
      start = end + 1;
    }
    const rest = chunk.subarray(start, count);
    length += rest.length;
    if (length <= MAX_LINE_BYTES) begun.push(Buffer.from(rest));
    else begun = [];
  }
  if (length > 0) {
    const rest = Buffer.alloc(0);
    yield line(rest);
  }
}

/** Undefined for an empty line. */
function rowIn(text: string): JsonRow | "broken" | undefined {
  if (text.trim() === "") return undefined;
  try {
    const value = parseForeignJson(text);
    return isRow(value) ? value : "broken";
  } catch {
    return "broken";
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
