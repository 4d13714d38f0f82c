import * as z from "zod";
import type { SettingRow } from "./setting-row.ts";
import { textList } from "./text-list.ts";

/** Settings for the index of a folder's code. */
export const searchSettings = {
  embedder: {
    title: "Embedder",
    group: "Files and undo",
    doc: "The model whose vectors let code search find what means the same in other words: `builtin`, `ollama/nomic-embed-text`, a `.gguf` file, or PROVIDER/MODEL, which gets the text of the files. `none`: words alone are compared.",
    takesEffect: "now",
    schema: z.string().trim().min(1),
    default: "none",
  },
  reranker: {
    title: "Reranker",
    group: "Files and undo",
    doc: "The model that reads a question with each of the first 30 results of a code search and reorders them: PROVIDER/MODEL of a server with `/v1/rerank`, such as `llamacpp/bge-reranker-v2-m3`, which gets the question and these results. `none`: their order stays.",
    takesEffect: "now",
    schema: z.string().trim().min(1),
    default: "none",
  },
  index_collections: {
    title: "Document collections",
    group: "Files and undo",
    doc: "Folders that code search covers in every workspace, each as `NAME=FOLDER` with an absolute path; `harness index add` writes them.",
    takesEffect: "now",
    schema: textList,
    default: [],
  },
  index_store: {
    title: "Where indexes are kept",
    group: "Files and undo",
    doc: "Where the indexes of code are kept: `embedded` in files of this machine, or at an address of Qdrant (`http://localhost:6333`) or of PostgreSQL with pgvector (`postgres://user@localhost:5432/harness`), which then get the text of the files. Keys and passwords are in QDRANT_API_KEY and PGPASSWORD.",
    takesEffect: "now",
    schema: z.string().trim().min(1).max(2_000),
    default: "embedded",
    env: "HARNESS_INDEX_STORE",
  },
  index_min_files: {
    title: "Offer code search from",
    group: "Files and undo",
    doc: "How many files the index of a folder must have for the model to be offered `semantic_search` and `symbols`.",
    takesEffect: "new sessions",
    schema: z.number().int().min(0).max(1_000_000),
    default: 300,
    project: "any",
  },
  repository_map: {
    title: "Repository map",
    group: "Context",
    doc: "A list of the main files and their definitions in the system prompt, at most 1,000 tokens, if the folder has an index on this machine. `auto`: in context windows of 64,000 tokens and more; `on`: from 8,193.",
    takesEffect: "next request",
    schema: z.enum(["auto", "off", "on"]),
    default: "auto",
    project: "any",
  },
} as const satisfies Record<string, SettingRow>;
