import { createHash } from "node:crypto";
import { closeSync, constants, readSync } from "node:fs";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { openRegularFile } from "@harness/host";
import { parseForeignJson } from "../json-tree.ts";

/** More than any session needs: a small file may unpack to an endless one. */
const MAX_UNPACKED_BYTES = 8 * 1024 * 1024 * 1024;
/** One fact, such as a message with many pictures. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const PIECE_BYTES = 64 * 1024;
const LF = 10;

/** The content of a bundle, unchecked. Each pass reads the rows again, and may throw a `BundleError`. */
export type Bundle = {
  head: Record<string, unknown>;
  /** The kind of file, for people: "a bundle". */
  from: string;
  rows(): AsyncIterable<Record<string, unknown>> | Iterable<Record<string, unknown>>;
};

/** The message is a sentence about a bundle that cannot be read. */
export class BundleError extends Error {
  override readonly name = "BundleError";
}

/** Checks a whole bundle; a sentence if it is damaged; undefined if the file does not look like a bundle at all. */
export async function readBundle(path: string): Promise<Bundle | { problem: string } | undefined> {
  try {
    if (!isPacked(path)) return undefined;
    let head: Record<string, unknown> | undefined;
    for await (const row of checkedRows(path)) {
      head ??= row;
      if (head.format !== "harness-bundle") return { problem: `${path} is not a bundle of harness.` };
      if (head.version !== 1)
        return { problem: `${path} was written by a newer version of harness. Update harness to import it.` };
    }
    if (!head) return { problem: `${path} is not a bundle of harness.` };
    return { head, from: "a bundle", rows: () => rowsAfterHead(path) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: error instanceof BundleError ? reason : `${path} cannot be read: ${reason}.` };
  }
}

/** Throws file system errors. */
function isPacked(path: string): boolean {
  const fd = openRegularFile(path, constants.O_RDONLY);
  try {
    const start = Buffer.alloc(2);
    readSync(fd, start, 0, 2, 0);
    return start[0] === 0x1f && start[1] === 0x8b;
  } finally {
    closeSync(fd);
  }
}

/** The raw bytes of the file. Throws file system errors. */
function* packedPieces(path: string): Generator<Buffer, void> {
  const fd = openRegularFile(path, constants.O_RDONLY);
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      const read = readSync(fd, piece, 0, PIECE_BYTES, null);
      if (read === 0) return;
      yield piece.subarray(0, read);
    }
  } finally {
    closeSync(fd);
  }
}

async function* rowsAfterHead(path: string): AsyncGenerator<Record<string, unknown>, void> {
  let isHead = true;
  for await (const row of checkedRows(path)) {
    if (!isHead) yield row;
    isHead = false;
  }
}

/** All rows except the last, which has the checksum. It is compared after the other rows, at the end of the pass. */
async function* checkedRows(path: string): AsyncGenerator<Record<string, unknown>, void> {
  const hash = createHash("sha256");
  let before: Buffer | undefined;
  for await (const line of unpackedLines(path)) {
    if (before) {
      hash.update(before).update("\n");
      yield rowOf(before);
    }
    before = line;
  }
  const { end } = before ? rowOf(before) : {};
  if (Object(end).sha256 !== hash.digest("hex"))
    throw new BundleError(
      `${path} is damaged: its checksum is wrong. Export the session again, or copy the file again.`,
    );
}

/** The lines of the file, one in memory at a time. */
async function* unpackedLines(path: string): AsyncGenerator<Buffer, void> {
  // Errors of this stream reach the reader below.
  const unpacked = pipeline(Readable.from(packedPieces(path)), createGunzip(), () => undefined);
  let begun: Buffer[] = [];
  let length = 0;
  let total = 0;
  for await (const chunk of unpacked as AsyncIterable<Buffer>) {
    total += chunk.length;
    if (total > MAX_UNPACKED_BYTES)
      throw new BundleError(`${path} has more in it than any session: it is not imported.`);
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      yield Buffer.concat([...begun, chunk.subarray(start, end)]);
      begun = [];
      length = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    begun.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > MAX_LINE_BYTES)
      throw new BundleError(`${path} has a longer line than harness writes: it is not imported.`);
  }
  if (length > 0) yield Buffer.concat(begun);
}

/** Empty for an unreadable line: the checksum shows whether the file is complete. */
function rowOf(line: Buffer): Record<string, unknown> {
  try {
    const value = parseForeignJson(line.toString("utf8"));
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
