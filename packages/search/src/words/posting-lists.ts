/** The occurrences of one word in ascending order of chunks. */
export type PostingList = {
  /** Numbers of chunks. */
  chunks: Uint32Array;
  /** Four for each chunk: how often the word occurs in each of `wordFields`, at most 255. */
  counts: Uint8Array;
};

/** The words of an index, as a scorer needs them. Numbers of chunks are not reused; some belong to removed chunks. */
export interface PostingLists {
  /** One more than the highest number. */
  readonly chunkCount: number;
  /** By chunk: the number of its file. Chunks of one file have consecutive numbers. */
  readonly files: Uint32Array;
  /** Four for each chunk: words in each of `wordFields`, at most 65,535. A removed chunk has none. */
  readonly lengths: Uint16Array;
  /** Several lists with separate ascending ranges, or none. They may include removed chunks. */
  lists(word: string): readonly PostingList[];
}
