import type { PostingList, PostingLists } from "../../words/posting-lists.ts";
import { wordFields } from "../../words/word-fields.ts";
import type { DatabaseFile } from "./database-file.ts";
import { decodeRuns } from "./posting-run.ts";
import { PostingTable } from "./posting-table.ts";

/** The words of the index in one state of it, with what a scorer needs of every chunk in memory. */
export class StoredPostingTable implements PostingLists {
  readonly chunkCount: number;
  readonly files: Uint32Array;
  readonly lengths: Uint16Array;
  readonly #table: PostingTable;
  readonly #segments: ReturnType<PostingTable["segments"]>;

  /** Takes memory for every chunk: 12 bytes each. */
  constructor(db: DatabaseFile) {
    this.#table = new PostingTable(db);
    this.#segments = this.#table.segments();
    const count = Number(db.run("SELECT value FROM state WHERE name = 'next_chunk'").get()?.value ?? 0);
    this.chunkCount = count;
    this.files = new Uint32Array(count);
    this.lengths = new Uint16Array(count * wordFields.length);
    const bytes = new Uint8Array(this.lengths.buffer);
    for (const row of db.run("SELECT id, first, chunks, lengths FROM files WHERE chunks > 0").iterate()) {
      const first = Number(row.first);
      this.files.fill(Number(row.id), first, first + Number(row.chunks));
      if (row.lengths instanceof Uint8Array) bytes.set(row.lengths, first * wordFields.length * 2);
    }
  }

  lists(word: string): PostingList[] {
    return this.#table.runs(word, this.#segments).map(decodeRuns);
  }
}
