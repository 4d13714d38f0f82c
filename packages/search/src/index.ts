export type { Chunk, FileChunks } from "./chunks/chunk.ts";
export { FolderIndex, type IndexProblem } from "./folder-index.ts";
export { SearchEngine } from "./search-engine.ts";
