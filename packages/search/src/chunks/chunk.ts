import type { ChunkKind } from "@harness/protocol";

/** A part of a file that is found, shown and embedded as one. */
export type Chunk = {
  kind: ChunkKind;
  /** 1-based, inclusive. */
  startLine: number;
  endLine: number;
  /** The names that it defines, its own first. */
  names: string[];
  /** The enclosing definitions, the outermost first, and its own: signatures in one line, or the titles of sections. */
  signatures: string[];
  /** Its documentation: the comment before it, or its docstring. */
  comment: string;
  /** At most 4,000 characters. */
  text: string;
};

/** A file in chunks. */
export type FileChunks = {
  /** As in `languages`; `text` if unknown. */
  language: string;
  /** The comment at the top of the file, at most 500 characters. */
  header: string;
  chunks: Chunk[];
  /** True if a grammar exists for the language but could not be used: the file is broken or too large. */
  isFallback: boolean;
};
