import * as zlib from "node:zlib";
import { readRegularFile } from "@harness/host";
import { parseForeignJson } from "../json-tree.ts";
import { isRow, type JsonRow } from "./json-values.ts";

const MAX_FILE_BYTES = 128 * 1024 * 1024;
const MAX_LINE_BYTES = 32 * 1024 * 1024;
const LF = 10;

/** A file of another program: JSON lines, or one JSON document. */
export class ForeignFile {
  readonly path: string;
  readonly #bytes: Buffer;
  /** The objects of a document that is not in lines. */
  readonly #document: JsonRow | undefined;
  /** Lines that are not an object, or longer than any message. */
  brokenLines = 0;

  constructor(path: string, bytes: Buffer) {
    this.path = path;
    this.#bytes = bytes;
    this.#document = documentOf(bytes);
  }

  /** The objects in it, in their order; each time they are read anew. */
  *rows(): Generator<JsonRow, void> {
    if (this.#document) {
      yield this.#document;
      return;
    }
    this.brokenLines = 0;
    for (let start = 0; start < this.#bytes.length; ) {
      const next = this.#bytes.indexOf(LF, start);
      const end = next < 0 ? this.#bytes.length : next;
      const row = end - start > MAX_LINE_BYTES ? "broken" : lineOf(this.#bytes.toString("utf8", start, end));
      start = end + 1;
      if (row === "broken") this.brokenLines += 1;
      else if (row !== undefined) yield row;
    }
  }

  /** The first objects, which tell the format. */
  first(count: number): JsonRow[] {
    const found: JsonRow[] = [];
    for (const row of this.rows()) if (found.push(row) >= count) break;
    return found;
  }
}

/** Reads it, unpacked where its name ends in `.zst`; or says in a sentence why that cannot be. */
export function readForeignFile(path: string): ForeignFile | { problem: string } {
  try {
    const bytes = readRegularFile(path, { maxBytes: MAX_FILE_BYTES, followLinks: true });
    if (!path.endsWith(".zst")) return new ForeignFile(path, bytes);
    if (!("zstdDecompressSync" in zlib))
      return {
        problem: `${path} is compressed with zstd, which needs Node 22.15 or newer. Unpack it first: zstd -d FILE.`,
      };
    return new ForeignFile(path, zlib.zstdDecompressSync(bytes, { maxOutputLength: MAX_FILE_BYTES }));
  } catch (error) {
    return { problem: `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.` };
  }
}

function documentOf(bytes: Buffer): JsonRow | undefined {
  const firstEnd = bytes.indexOf(LF);
  const first = lineOf(bytes.toString("utf8", 0, firstEnd < 0 ? bytes.length : Math.min(firstEnd, MAX_LINE_BYTES)));
  // JSON lines begin with a whole object.
  if (first !== "broken" && firstEnd >= 0) return undefined;
  const whole = lineOf(bytes.toString("utf8"));
  return whole === "broken" ? undefined : whole;
}

/** Undefined for an empty line. */
function lineOf(text: string): JsonRow | "broken" | undefined {
  if (text.trim() === "") return undefined;
  try {
    const value = parseForeignJson(text);
    return isRow(value) ? value : "broken";
  } catch {
    return "broken";
  }
}
