import * as z from "zod";

/** The parts into which files are cut; `text` is any part without a structure that harness knows. */
export const ChunkKind = z.enum(["function", "method", "class", "type", "section", "cell", "code", "text"]);
export type ChunkKind = z.infer<typeof ChunkKind>;

export const CodeQuery = z.object({
  query: z.string().trim().min(1).max(4_000),
  limit: z.int().min(1).max(100).default(5),
  /** Only files below this folder, or matching this pattern; relative to the folder of the index. */
  path: z.string().min(1).optional(),
  /** A language as in the results, or an extension such as `ts`. */
  language: z.string().min(1).optional(),
  kind: ChunkKind.optional(),
  /** Only this collection of documents. */
  collection: z.string().min(1).optional(),
});
export type CodeQuery = z.infer<typeof CodeQuery>;

export const CodeHit = z.object({
  /** Relative to the folder, with `/`; absolute in folders that belong to it or are collections. */
  path: z.string(),
  /** The name of the collection that it is from. */
  collection: z.string().optional(),
  /** 1-based, inclusive. */
  startLine: z.number(),
  endLine: z.number(),
  /** Comparable within one answer: 1 is the best. */
  score: z.number(),
  /** The reasons for the match, the strongest first. */
  why: z.array(z.string()),
  kind: ChunkKind,
  language: z.string(),
  /** The definitions that it is in, the outermost first, and its own. */
  signatures: z.array(z.string()),
  text: z.string(),
});
export type CodeHit = z.infer<typeof CodeHit>;

export const IndexState = z.object({
  files: z.number(),
  chunks: z.number(),
  /** The model whose vectors it has; null if words alone are compared. */
  embedder: z.string().nullable(),
  /** False if files have changed since they were indexed, or are being indexed now. */
  fresh: z.boolean(),
});
export type IndexState = z.infer<typeof IndexState>;

export const CodeAnswer = z.object({
  results: z.array(CodeHit),
  index: IndexState,
  /** The model that reordered the first results. `problem`: why it did not, as a sentence; the order is that of the index. */
  reranked: z.object({ by: z.string(), problem: z.string().optional() }).optional(),
});
export type CodeAnswer = z.infer<typeof CodeAnswer>;

export const CodeSymbol = z.object({ name: z.string(), path: z.string(), line: z.number(), kind: ChunkKind });
export type CodeSymbol = z.infer<typeof CodeSymbol>;
