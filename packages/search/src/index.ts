export type { Chunk, ChunkKind, FileChunks } from "./chunks/chunk.ts";
