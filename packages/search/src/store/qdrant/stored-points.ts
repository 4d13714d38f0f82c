import type { Chunk } from "../../chunks/chunk.ts";
import type { FileState, IndexedFile, StoredChunk } from "../index-store.ts";
import { CHUNK_WORDS, FILE_WORDS, type PointKind } from "./collections.ts";
import { contentId, isContentId } from "./content-id.ts";
import { chunkWeights, fileWeights, type WordWeights } from "./word-weights.ts";

/** A point as it is written. Points without a vector only keep their payload. */
export type Point = {
  id: string;
  vector: Readonly<Record<string, WordWeights | readonly number[]>>;
  payload: Readonly<Record<string, unknown>> & { entry?: PointKind };
};

/** A point as a server returns it. */
export type PointReply = { id: string; score: number; payload: Readonly<Record<string, unknown>> };

/** The shortest text that is found in the middle of a name. */
const GRAM_CHARACTERS = 3;

export function fileId(path: string): string {
  return contentId("file", path);
}

/** The chunks of a file. Those that an edit leaves as they were keep their ids; equal chunks are numbered. */
export function chunkPoints({ path, language, chunks }: IndexedFile): (Point & { digest: string })[] {
  const seen = new Map<string, number>();
  return chunks.map((chunk, position) => {
    const { digest, names } = chunk;
    const copy = seen.get(digest) ?? 0;
    seen.set(digest, copy + 1);
    const folded = [...new Set(names.map((name) => name.toLowerCase()))];
    return {
      id: contentId("chunk", path, digest, String(copy)),
      digest,
      vector: { [CHUNK_WORDS]: chunkWeights(chunk) },
      payload: {
        entry: "chunk",
        ...{ path, language, position, digest, names, folded },
        ...{ kind: chunk.kind, start: chunk.startLine, end: chunk.endLine },
        ...{ signatures: chunk.signatures, comment: chunk.comment, text: chunk.text },
        grams: [...new Set(folded.flatMap(gramsOf))],
      },
    };
  });
}

export function filePoint(file: IndexedFile): Point {
  const { path, digest, sizeBytes, mtimeMs, language, isFallback, chunks } = file;
  const vector: Point["vector"] = chunks.length === 0 ? {} : { [FILE_WORDS]: fileWeights(chunks) };
  const state = { path, language, fallback: isFallback, digest, size: sizeBytes, mtime: mtimeMs };
  return { id: fileId(path), vector, payload: { entry: "file", ...state } };
}

/** Groups of three characters: a name that contains a text has all those of the text. */
export function gramsOf(text: string): string[] {
  const characters = [...text];
  return characters.slice(0, 1 - GRAM_CHARACTERS).map((_, at) => characters.slice(at, at + GRAM_CHARACTERS).join(""));
}

/** The points of a list in an answer; those of another form are left out. */
export function pointReplies(list: unknown): PointReply[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((each: unknown) => {
    if (typeof each !== "object" || each === null || !("id" in each) || !isContentId(each.id)) return [];
    const payload = "payload" in each && typeof each.payload === "object" ? each.payload : undefined;
    const score = "score" in each && typeof each.score === "number" ? each.score : 0;
    return [{ id: each.id, score, payload: { ...payload } }];
  });
}

export function fileState({ payload }: PointReply): FileState {
  const { path, digest, size, mtime } = payload;
  return { path: String(path), digest: String(digest), sizeBytes: Number(size), mtimeMs: Number(mtime) };
}

export function storedChunk({ id, payload }: PointReply): StoredChunk {
  return {
    id,
    path: String(payload.path),
    language: String(payload.language),
    kind: String(payload.kind) as Chunk["kind"],
    startLine: Number(payload.start),
    endLine: Number(payload.end),
    names: storedTexts(payload.names),
    signatures: storedTexts(payload.signatures),
    comment: String(payload.comment),
    text: String(payload.text),
  };
}

export function storedTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
