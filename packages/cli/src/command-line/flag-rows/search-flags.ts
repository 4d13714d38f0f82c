import type { FlagRow } from "../flag-row.ts";

/** Flags for the index of a folder's code, and for searching it. */
export const searchFlags = {
  embedder: {
    takes: "value",
    value: "NAME",
    doc: "From now on search with the vectors of this model as well: builtin, ollama/nomic-embed-text, FILE.gguf, PROVIDER/MODEL, or none.",
    in: ["index"],
  },
  reranker: {
    takes: "value",
    value: "NAME",
    doc: "From now on this model reorders the first results of searches: PROVIDER/MODEL of a server with /v1/rerank, or none.",
    in: ["index"],
  },
  rebuild: { takes: "nothing", doc: "Delete the index first, and build it from scratch.", in: ["index"] },
  limit: { takes: "value", value: "N", fallback: "5", doc: "How many results, up to 100.", in: ["search"] },
  path: {
    takes: "value",
    value: "PATH",
    doc: "Only files below this folder, or matching this pattern.",
    in: ["search"],
  },
  in: { takes: "value", value: "NAME", doc: "Only this collection of documents.", in: ["search"] },
  language: {
    takes: "value",
    value: "LANG",
    doc: "Only files of this language, such as python or ts.",
    in: ["search"],
  },
} as const satisfies Record<string, FlagRow>;
