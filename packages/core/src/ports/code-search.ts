import type { CodeAnswer, CodeQuery, CodeSymbol, IndexState } from "@harness/protocol";

export type SymbolQuery = { name: string; isPart: boolean; limit: number };
export type SymbolAnswer = { symbols: CodeSymbol[]; index: IndexState };

/** A file with the definitions that other files use most. `path`: relative to the folder. */
export type MapFile = { path: string; names: string[] };

/** The search index of a session's folder. Files that have changed are indexed first if that is quick. */
export interface CodeSearch {
  /** The folder that paths of answers are relative to: absolute, without links. */
  readonly folder: string;
  /** The names of collections of documents that are searched along with it. */
  readonly collections: readonly string[];
  /** `problem`: a sentence. `waitMs`: how long changed files may take to be indexed. Never rejects. */
  search(query: CodeQuery, waitMs: number): Promise<CodeAnswer | { problem: string }>;
  symbols(query: SymbolQuery): Promise<SymbolAnswer | { problem: string }>;
}
