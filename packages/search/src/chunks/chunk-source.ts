import { createHash } from "node:crypto";
import type { FileChunks } from "./chunk.ts";
import { chunkFile, lineChunks, movedFile, type SourceFile } from "./chunk-file.ts";
import { chunkWords } from "./chunk-words.ts";
import type { SourceChunks } from "./chunker.ts";
import type { GrammarSet } from "./grammar-set.ts";

/** A file in chunks, with the words and the digest of each. Never rejects. */
export async function chunkSource(file: SourceFile, grammars: GrammarSet): Promise<SourceChunks> {
  return withWords(file, await chunkFile(file, grammars));
}

/** The same for a file whose grammar cannot be used. */
export function chunkSourceByLines(file: SourceFile): SourceChunks {
  return withWords(file, { ...lineChunks(file), isFallback: true });
}

/** The same for a file that has these chunks in an index under another path. Undefined: it is to be cut anew. */
export function chunkMovedSource(file: SourceFile, known: Parameters<typeof movedFile>[1]): SourceChunks | undefined {
  const moved = movedFile(file, known);
  return moved && withWords(file, moved);
}

function withWords({ path }: SourceFile, chunked: FileChunks): SourceChunks {
  const { header } = chunked;
  const chunks = chunked.chunks.map((chunk, index) => ({
    ...chunk,
    words: chunkWords(chunk, { path, header, isFirst: index === 0 }),
    digest: createHash("sha256")
      .update([...chunk.signatures, chunk.comment, chunk.text].join("\n"))
      .digest("hex"),
  }));
  return { ...chunked, chunks };
}
