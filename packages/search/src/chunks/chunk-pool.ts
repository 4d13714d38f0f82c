import { createHash } from "node:crypto";
import type { ChunkedSource, Chunker } from "../indexing/index-update.ts";
import { chunkFile } from "./chunk-file.ts";
import { chunkWords } from "./chunk-words.ts";
import { Grammars } from "./grammars.ts";

export class ChunkPool implements Chunker {
  readonly #grammars = new Grammars();

  async chunk(files: readonly { path: string; text: string }[]): Promise<ChunkedSource[]> {
    const all: ChunkedSource[] = [];
    for (const file of files) {
      const chunked = await chunkFile(file, this.#grammars);
      const { header } = chunked;
      const chunks = chunked.chunks.map((chunk, index) => ({
        ...chunk,
        words: chunkWords(chunk, { path: file.path, header, isFirst: index === 0 }),
        digest: createHash("sha256")
          .update([...chunk.signatures, chunk.comment, chunk.text].join("\n"))
          .digest("hex"),
      }));
      all.push({ ...chunked, chunks });
    }
    return all;
  }
}
