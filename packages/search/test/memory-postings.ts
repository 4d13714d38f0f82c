import type { PostingList, PostingLists } from "../src/words/posting-lists.ts";
import { type FieldWords, wordFields } from "../src/words/word-fields.ts";

const FIELDS = wordFields.length;
type Posting = { chunks: number[]; counts: number[] };

/** Posting lists in memory, of files in their order: each has the words of its chunks. */
export function memoryPostings(files: readonly (readonly FieldWords[])[]): PostingLists {
  const chunkCount = files.reduce((sum, chunks) => sum + chunks.length, 0);
  const fileOf = new Uint32Array(chunkCount);
  const lengths = new Uint16Array(chunkCount * FIELDS);
  const postings = new Map<string, Posting>();
  let chunk = 0;
  for (const [file, chunks] of files.entries())
    for (const words of chunks) {
      fileOf[chunk] = file;
      for (const [field, name] of wordFields.entries()) {
        lengths[chunk * FIELDS + field] = Math.min(words[name].length, 0xffff);
        for (const word of words[name]) count(postings, word, chunk, field);
      }
      chunk += 1;
    }
  const lists = new Map<string, PostingList[]>();
  for (const [word, { chunks, counts }] of postings)
    lists.set(word, [{ chunks: Uint32Array.from(chunks), counts: Uint8Array.from(counts) }]);
  return { chunkCount, files: fileOf, lengths, lists: (word) => lists.get(word) ?? [] };
}

function count(postings: Map<string, Posting>, word: string, chunk: number, field: number): void {
  let posting = postings.get(word);
  if (!posting) {
    posting = { chunks: [], counts: [] };
    postings.set(word, posting);
  }
  if (posting.chunks.at(-1) !== chunk) {
    posting.chunks.push(chunk);
    for (let each = 0; each < FIELDS; each += 1) posting.counts.push(0);
  }
  const at = (posting.chunks.length - 1) * FIELDS + field;
  posting.counts[at] = Math.min((posting.counts[at] ?? 0) + 1, 0xff);
}
