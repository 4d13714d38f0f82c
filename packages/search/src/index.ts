export type { Chunk, FileChunks } from "./chunks/chunk.ts";
export { FolderIndex, type IndexProblem } from "./folder-index.ts";
export { CodeSearchEngine } from "./search-engine.ts";
