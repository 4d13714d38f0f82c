export type { Chunk, FileChunks } from "./chunks/chunk.ts";
export { FolderIndex } from "./folder-index.ts";
export { IndexGroup, noCollection } from "./index-group.ts";
export type { IndexProblem } from "./index-report.ts";
export type { EmbedderSource } from "./index-vectors.ts";
export { type RerankerSource, ResultReranker } from "./rerank/result-reranker.ts";
export { CodeSearchEngine } from "./search-engine.ts";
export type { StoreSource } from "./store-access.ts";
