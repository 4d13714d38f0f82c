import type { CodeSearch, SymbolAnswer } from "@harness/core";
import type { CodeAnswer, CodeHit, CodeQuery, CodeSymbol } from "@harness/protocol";

/** An index that answers every question with the same, up to the limit. */
export class MemoryCodeSearch implements CodeSearch {
  readonly folder: string;
  readonly collections = ["handbook"];
  /** The questions that it was asked. */
  readonly queries: CodeQuery[] = [];
  readonly #hits: readonly CodeHit[];
  readonly #symbols: readonly CodeSymbol[];

  constructor(folder: string, { hits = [], symbols = [] }: { hits?: CodeHit[]; symbols?: CodeSymbol[] } = {}) {
    this.folder = folder;
    this.#hits = hits;
    this.#symbols = symbols;
  }

  async search(query: CodeQuery): Promise<CodeAnswer> {
    this.queries.push(query);
    return { results: this.#hits.slice(0, query.limit), index: this.#state() };
  }

  async symbols({ limit }: { limit: number }): Promise<SymbolAnswer> {
    return { symbols: this.#symbols.slice(0, limit), index: this.#state() };
  }

  #state() {
    return { files: this.#hits.length, chunks: this.#hits.length, embedder: null, fresh: true };
  }
}
