import { type WordField, wordFields } from "../words/word-fields.ts";
import type { Chunk } from "./chunk.ts";
import type { SourceChunks } from "./chunker.ts";

/** Files in chunks as they go from one thread to another: a copy of each word for itself would cost more than chunking. */
export type PackedSources = {
  files: (Omit<SourceChunks, "chunks"> & { chunks: (Chunk & { digest: string })[] })[];
  words: string[];
  /** Numbers of words, by chunk and field. */
  numbers: Uint32Array<ArrayBuffer>;
  /** How many of them each field of each chunk has. */
  counts: Uint32Array<ArrayBuffer>;
};

export function packSources(sources: readonly SourceChunks[]): PackedSources {
  const numberOf = new Map<string, number>();
  const numbers: number[] = [];
  const counts: number[] = [];
  const files = sources.map((source) => ({
    ...source,
    chunks: source.chunks.map(({ words, ...chunk }) => {
      for (const field of wordFields) {
        counts.push(words[field].length);
        for (const word of words[field]) {
          const known = numberOf.get(word);
          numbers.push(known ?? numberOf.size);
          if (known === undefined) numberOf.set(word, numberOf.size);
        }
      }
      return chunk;
    }),
  }));
  return { files, words: [...numberOf.keys()], numbers: Uint32Array.from(numbers), counts: Uint32Array.from(counts) };
}

export function unpackSources({ files, words, numbers, counts }: PackedSources): SourceChunks[] {
  let at = 0;
  let next = 0;
  const take = (): string[] => {
    const end = at + (counts[next++] ?? 0);
    const taken: string[] = [];
    for (; at < end; at += 1) taken.push(words[numbers[at] ?? 0] ?? "");
    return taken;
  };
  const takeFields = (): Record<WordField, string[]> => {
    const [name, path, comment, body] = [take(), take(), take(), take()];
    return { name, path, comment, body };
  };
  return files.map((file) => ({
    ...file,
    chunks: file.chunks.map((chunk) => ({ ...chunk, words: takeFields() })),
  }));
}
