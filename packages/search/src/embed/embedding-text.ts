import type { Chunk } from "../chunks/chunk.ts";

/** The text that a chunk's vector is made of, the telling part first: models cut what is too long for them. */
export function embeddingText({ signatures, comment, text }: Pick<Chunk, "signatures" | "comment" | "text">): string {
  const isInText = comment === "" || text.includes(comment);
  return [...signatures, ...(isInText ? [] : [comment]), text].join("\n");
}
