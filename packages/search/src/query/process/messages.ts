import type { MapFile } from "@harness/core";
import type { CodeQuery, CodeSymbol } from "@harness/protocol";
import type { EmbedderIdentity } from "../../embed/vector-collection.ts";
import type { IndexLocation } from "../../store/stores.ts";
import type { SearchedCode } from "../search-code.ts";

/** `embedder`: whose vectors are searched. */
export type IndexSummary = {
  files: number;
  chunks: number;
  fallbacks: number;
  sizeBytes: number;
  embedder: EmbedderIdentity | undefined;
};

/** The vector of a question, by the embedder with this key. */
export type QueryVector = { key: string; vector: Float32Array };

/** The questions that the thread answers, by name. `undefined` answers: there is no index. */
export type QueryTable = {
  summary: { ask: IndexLocation; answer: IndexSummary | undefined };
  /** The paths of files that differ from the index, out of all files of the folder; and of those that are gone. */
  changes: {
    ask: IndexLocation & { paths: readonly string[] };
    answer: { changed: string[]; removed: string[] } | undefined;
  };
  search: { ask: IndexLocation & { query: CodeQuery; vector?: QueryVector }; answer: SearchedCode | undefined };
  map: { ask: IndexLocation & { limit: number }; answer: MapFile[] | undefined };
  symbols: {
    ask: IndexLocation & { name: string; isPart: boolean; limit: number };
    answer: CodeSymbol[] | undefined;
  };
};
export type QueryName = keyof QueryTable;

export type QueryCall = { [Name in QueryName]: { id: number; name: Name; ask: QueryTable[Name]["ask"] } }[QueryName];

/** `problem`: a sentence. */
export type QueryReply = { id: number } & ({ answer: unknown } | { problem: string });
