import type { CodeAnswer, IndexState } from "@harness/protocol";
import { IndexReadError } from "./query/query-process.ts";
import { StoreError } from "./store/store-error.ts";

/** `embedderProblem`: the reason why vectors are missing, as a sentence. */
export type VectorsReport = { embedderProblem?: string };
/** `fallbacks`: files that have a grammar but are not read by it. */
export type IndexReport = IndexState & VectorsReport & { fallbacks: number; sizeBytes: number };
/** `indexed`, `removed`: files. */
export type RefreshReport = VectorsReport & {
  index: IndexState;
  fallbacks: number;
  indexed: number;
  removed: number;
};
/** `coverage`: the share of the query's words that a good result has. */
export type FolderAnswer = CodeAnswer & { coverage: number };
/** `problem`: a sentence. `isMissing`: the folder has no index. `isMisuse`: the request names what is not there. */
export type IndexProblem = { problem: string; isMissing?: true; isMisuse?: true };

export const NO_INDEX: IndexProblem = {
  problem: "This folder has no index yet. Make one with `harness index`, or /index in a session.",
  isMissing: true,
};

/** A problem of a store or a process is returned; other errors are bugs. */
export async function orProblem<T>(work: () => Promise<T>): Promise<T | IndexProblem> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof IndexReadError || error instanceof StoreError) return { problem: error.message };
    throw error;
  }
}
