import type { PostingList } from "../../words/posting-lists.ts";
import { type WordField, wordFields } from "../../words/word-fields.ts";

const FIELDS = wordFields.length;
const MAX_COUNT = 255;

/** The occurrences of a word in one batch of chunks, while they are collected. */
export type Occurrences = { chunks: number[]; counts: number[] };

/** Collects the words of chunks in ascending order. */
export class PostingDraft {
  readonly words = new Map<string, Occurrences>();

  add(chunk: number, words: Readonly<Record<WordField, readonly string[]>>): void {
    for (let field = 0; field < FIELDS; field += 1)
      for (const word of words[wordFields[field] as WordField]) this.#count(word, chunk, field);
  }

  #count(word: string, chunk: number, field: number): void {
    let found = this.words.get(word);
    if (!found) {
      found = { chunks: [], counts: [] };
      this.words.set(word, found);
    }
    const { chunks, counts } = found;
    if (chunks.at(-1) !== chunk) {
      chunks.push(chunk);
      counts.push(0, 0, 0, 0);
    }
    const at = counts.length - FIELDS + field;
    counts[at] = Math.min((counts[at] ?? 0) + 1, MAX_COUNT);
  }
}

/**
 * One run: how many bytes follow, how many chunks, the first one, then for each chunk its distance to the one before, a
 * byte with a bit for each field that has the word, and a byte with its count for each of these. Numbers are LEB128.
 * Runs in ascending order can be put one after the other.
 */
export function encodeRun({ chunks, counts }: Occurrences): Buffer {
  const bytes: number[] = [];
  pushNumber(bytes, chunks.length);
  let before = 0;
  for (let index = 0; index < chunks.length; index += 1) {
    const chunk = chunks[index] ?? 0;
    pushNumber(bytes, chunk - before);
    before = chunk;
    const maskAt = bytes.push(0) - 1;
    for (let field = 0; field < FIELDS; field += 1) {
      const count = counts[index * FIELDS + field] ?? 0;
      if (count === 0) continue;
      bytes[maskAt] = (bytes[maskAt] ?? 0) | (1 << field);
      bytes.push(count);
    }
  }
  const length: number[] = [];
  pushNumber(length, bytes.length);
  return Buffer.from([...length, ...bytes]);
}

function pushNumber(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
}

/** Reads runs that follow each other. Throws a `RangeError` if they are damaged. */
export function decodeRuns(bytes: Uint8Array): PostingList {
  const size = chunksIn(bytes);
  const chunks = new Uint32Array(size);
  const counts = new Uint8Array(size * FIELDS);
  const cursor = { bytes, at: 0 };
  let index = 0;
  while (cursor.at < bytes.length) {
    readNumber(cursor);
    const end = index + readNumber(cursor);
    let chunk = 0;
    for (; index < end; index += 1) {
      chunk += readNumber(cursor);
      chunks[index] = chunk;
      const mask = bytes[cursor.at++] ?? 0;
      for (let field = 0; field < FIELDS; field += 1)
        if (mask & (1 << field)) counts[index * FIELDS + field] = bytes[cursor.at++] ?? 0;
    }
  }
  return { chunks, counts };
}

function chunksIn(bytes: Uint8Array): number {
  const cursor = { bytes, at: 0 };
  let size = 0;
  while (cursor.at < bytes.length) {
    const length = readNumber(cursor);
    const end = cursor.at + length;
    size += readNumber(cursor);
    cursor.at = end;
  }
  if (cursor.at !== bytes.length || size > bytes.length) throw new RangeError("The runs of a word are damaged.");
  return size;
}

function readNumber(cursor: { bytes: Uint8Array; at: number }): number {
  const { bytes } = cursor;
  let value = 0;
  let scale = 1;
  for (;;) {
    const byte = bytes[cursor.at++] ?? 0;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return value;
    scale *= 0x80;
  }
}
