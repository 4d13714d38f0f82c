export type { Chunk, FileChunks } from "./chunks/chunk.ts";
export { FolderIndex, type IndexProblem } from "./folder-index.ts";
export { IndexGroup, noCollection } from "./index-group.ts";
export type { EmbedderSource } from "./index-vectors.ts";
export { CodeSearchEngine } from "./search-engine.ts";
