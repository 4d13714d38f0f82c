import * as z from "zod";
import { notification, request } from "../table.ts";
import { CodeAnswer, CodeQuery, CodeSymbol, IndexState } from "./code-search.ts";

const place = { cwd: z.string() };

/**
 * How an index is brought up to date: first its files, then its vectors. `rate`: files or vectors a second; `restMs`: an
 * estimate.
 */
export const IndexProgress = z.object({
  cwd: z.string(),
  filesDone: z.number(),
  filesTotal: z.number(),
  /** `problem`: the reason why it waits and tries again. */
  vectors: z.object({ done: z.number(), total: z.number(), problem: z.string().optional() }).optional(),
  rate: z.number().optional(),
  restMs: z.number().optional(),
  isPaused: z.boolean(),
});
export type IndexProgress = z.infer<typeof IndexProgress>;

/** As the settings `embedder` and `reranker` take it. */
const ModelName = z.string().trim().min(1).max(4_000);

/** The settings that name a model of searches. */
export const SearchModelRole = z.enum(["embedder", "reranker"]);
export type SearchModelRole = z.infer<typeof SearchModelRole>;

/** The reason why vectors are missing. */
const embedderProblem = { embedderProblem: z.string().optional() };

const IndexSize = IndexState.extend({ fallbacks: z.number(), sizeBytes: z.number(), ...embedderProblem });

/** A folder that searches of a workspace cover: its own, an additional one, or a collection with its `name`. */
export const IndexedFolder = z.object({
  folder: z.string(),
  kind: z.enum(["workspace", "additional", "collection"]),
  name: z.string().optional(),
  /** The folder is not there now. */
  isMissing: z.literal(true).optional(),
  /** Without it, it is not indexed yet. */
  index: IndexSize.optional(),
});
export type IndexedFolder = z.infer<typeof IndexedFolder>;

export const indexMethods = {
  "index/status": request({
    doc: "The search index of a folder; without `index` there is none yet. `files/search` finds files by name and needs none.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object(place),
    result: z.object({
      index: IndexSize.optional(),
      progress: IndexProgress.optional(),
    }),
  }),
  "index/refresh": request({
    doc: "Makes the index of a folder or brings it up to date; answers when it is complete. `index/progress` reports meanwhile. Cancelling keeps what is indexed by then.",
    lane: "free",
    idempotent: true,
    access: "control",
    params: z.object({ ...place, rebuild: z.boolean().default(false) }),
    result: z.object({
      index: IndexState,
      indexed: z.number(),
      removed: z.number(),
      fallbacks: z.number(),
      ...embedderProblem,
    }),
  }),
  "index/describe_embedder": request({
    doc: "What it takes to search with the vectors of an embedder: `leavesTo` is the address that gets the text of the files, `installs` what npm would download. With `role: reranker`: to reorder results with that model, which gets the question and the first results.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({ ...place, name: ModelName, role: SearchModelRole.default("embedder") }),
    result: z.object({
      name: z.string(),
      leavesTo: z.string().optional(),
      installs: z.object({ megabytes: z.number() }).optional(),
    }),
  }),
  "index/set_embedder": request({
    doc: "Writes the embedder into the user's settings, once it has proved to be there; `none` compares words alone. The next `index/refresh` makes its vectors. With `role: reranker` it writes that setting.",
    lane: "free",
    idempotent: true,
    access: "control",
    params: z.object({
      ...place,
      name: ModelName,
      role: SearchModelRole.default("embedder"),
      install: z.boolean().default(false),
    }),
    result: z.object({ name: z.string(), leavesTo: z.string().optional() }),
  }),
  "index/pause": request({
    doc: "Holds or continues indexing.",
    lane: "free",
    idempotent: true,
    access: "control",
    params: z.object({ isPaused: z.boolean() }),
    result: z.object({}),
  }),
  "index/add": request({
    doc: "Adds a folder of documents to the setting `index_collections` and indexes it; answers when that is complete. `index/progress` reports meanwhile. Cancelling keeps the collection and what is indexed by then.",
    lane: "free",
    idempotent: false,
    access: "control",
    params: z.object({
      ...place,
      folder: z.string().min(1),
      /** By default the name of the folder. */
      name: z.string().trim().min(1).optional(),
    }),
    result: z.object({
      name: z.string(),
      folder: z.string(),
      index: IndexState,
      indexed: z.number(),
      removed: z.number(),
      fallbacks: z.number(),
    }),
  }),
  "index/list": request({
    doc: "The folders that searches of a folder cover, and what their indexes have.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object(place),
    result: z.object({ folders: z.array(IndexedFolder) }),
  }),
  "index/remove": request({
    doc: "Deletes the index of a folder, and keeps none up to date until the next `index/refresh`. With `collection`: takes that one out of the settings, and deletes its index.",
    lane: "free",
    idempotent: true,
    access: "control",
    params: z.object({ ...place, collection: z.string().min(1).optional() }),
    result: z.object({ removed: z.boolean() }),
  }),
  "index/search": request({
    doc: "Searches the code of a folder in plain words. Files that have changed are indexed first, if that takes no longer than `waitMs`.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: CodeQuery.extend({ ...place, waitMs: z.int().min(0).max(600_000).default(3_000) }),
    result: CodeAnswer,
  }),
  "index/symbols": request({
    doc: "The definitions with a name; with `isPart` also of names that contain it.",
    lane: "free",
    idempotent: true,
    access: "read",
    params: z.object({
      ...place,
      name: z.string().trim().min(1).max(200),
      isPart: z.boolean().default(false),
      limit: z.int().min(1).max(200).default(20),
    }),
    result: z.object({ symbols: z.array(CodeSymbol), index: IndexState }),
  }),
};

export const indexNotifications = {
  "index/progress": notification({
    doc: "How far indexing is, a few times a second; the last one has all files done.",
    params: IndexProgress,
  }),
};
