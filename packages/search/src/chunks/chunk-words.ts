import type { FieldWords } from "../words/word-fields.ts";
import { wordsOf } from "../words/words.ts";
import type { Chunk } from "./chunk.ts";

/** The words of a chunk by field. `header`: of its file; its words count with the first chunk. */
export function chunkWords(
  chunk: Chunk,
  { path, header, isFirst }: { path: string; header: string; isFirst: boolean },
): FieldWords {
  const { names, signatures, comment, text } = chunk;
  const pathWords = wordsOf(path);
  return {
    name: wordsOf([...names, ...signatures.slice(-1)].join(" ")),
    // Every chunk has a word of its path: a chunk without one counts as removed.
    path: pathWords.length > 0 ? pathWords : [path.toLowerCase()],
    comment: wordsOf(isFirst && header !== "" ? `${header}\n${comment}` : comment),
    body: wordsOf(text),
  };
}
