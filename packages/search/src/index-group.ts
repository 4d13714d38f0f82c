import { isAbsolute, join, relative } from "node:path";
import type { CodeSearch, SymbolAnswer, SymbolQuery } from "@harness/core";
import type { CodeAnswer, CodeQuery, IndexProgress, IndexState } from "@harness/protocol";
import type { FolderIndex, IndexProblem, IndexReport, RefreshReport } from "./folder-index.ts";

/** A folder that is searched along with the workspace: an additional one, or a collection of documents. */
export type SearchFolder = { folder: string; index: FolderIndex };

/**
 * The indexes of a workspace: its folder's own, and those of the folders that are searched along with it. Paths are
 * relative to the workspace's folder in its own index, and absolute in the others.
 */
export class IndexGroup implements CodeSearch {
  readonly #own: FolderIndex;
  readonly #others: () => readonly SearchFolder[];

  constructor(own: FolderIndex, others: () => readonly SearchFolder[]) {
    this.#own = own;
    this.#others = others;
  }

  get folder(): string {
    return this.#own.folder;
  }

  /** True if the workspace's folder is indexed. */
  get exists(): boolean {
    return this.#own.exists;
  }

  /** How many files the indexes have. Blocks for some milliseconds. */
  get fileCount(): number {
    return this.#all().reduce((sum, { index }) => sum + index.fileCount, 0);
  }

  get progress(): IndexProgress | undefined {
    return this.#all().find(({ index }) => index.progress)?.index.progress;
  }

  /** Undefined if the workspace's folder is not indexed. */
  async summary(): Promise<IndexReport | IndexProblem | undefined> {
    const reports: IndexReport[] = [];
    if (!this.exists) return undefined;
    for (const { index } of this.#all()) {
      const report = await index.summary();
      if (report && "problem" in report) return report;
      if (report) reports.push(report);
    }
    if (reports.length === 0) return undefined;
    return reports.reduce((sum, report) => ({
      ...added(sum, report),
      fallbacks: sum.fallbacks + report.fallbacks,
      sizeBytes: sum.sizeBytes + report.sizeBytes,
    }));
  }

  /** Makes the indexes or brings them up to date, one after the other. */
  async refresh(options: { rebuild: boolean; signal: AbortSignal }): Promise<RefreshReport | IndexProblem> {
    let sum: RefreshReport | undefined;
    for (const { index } of this.#all()) {
      const report = await index.refresh(options);
      if ("problem" in report) return report;
      sum = sum
        ? {
            index: added(sum.index, report.index),
            fallbacks: sum.fallbacks + report.fallbacks,
            indexed: sum.indexed + report.indexed,
            removed: sum.removed + report.removed,
          }
        : report;
    }
    return sum ?? { problem: "There is no folder to index." };
  }

  async search(query: CodeQuery, waitMs: number): Promise<CodeAnswer | IndexProblem> {
    const answer = await this.#own.search(query, waitMs);
    if ("problem" in answer) return answer;
    const all = [answer];
    for (const { folder, index } of this.#others()) {
      const inside = queryWithin(query, folder);
      const other = index.exists && inside ? await index.search(inside, waitMs) : undefined;
      if (other && !("problem" in other)) {
        const results = other.results.map((hit) => ({ ...hit, path: join(folder, hit.path) }));
        all.push({ results, index: other.index });
      }
    }
    const results = all.flatMap((each) => each.results).sort((one, other) => other.score - one.score);
    return { results: results.slice(0, query.limit), index: all.map(({ index }) => index).reduce(added) };
  }

  async symbols(query: SymbolQuery): Promise<SymbolAnswer | IndexProblem> {
    const answer = await this.#own.symbols(query);
    if ("problem" in answer) return answer;
    const symbols = [...answer.symbols];
    for (const { folder, index } of this.#others()) {
      const other = index.exists ? await index.symbols(query) : undefined;
      if (other && !("problem" in other))
        symbols.push(...other.symbols.map((symbol) => ({ ...symbol, path: join(folder, symbol.path) })));
    }
    return { symbols: symbols.slice(0, query.limit), index: answer.index };
  }

  /** Deletes the index of the workspace's folder; true if there was one. */
  remove(): Promise<boolean> {
    return this.#own.remove();
  }

  close(): void {
    for (const { index } of this.#all()) index.close();
  }

  #all(): SearchFolder[] {
    return [{ folder: this.folder, index: this.#own }, ...this.#others()];
  }
}

function added(one: IndexState, other: IndexState): IndexState {
  return {
    files: one.files + other.files,
    chunks: one.chunks + other.chunks,
    embedder: one.embedder ?? other.embedder,
    fresh: one.fresh && other.fresh,
  };
}

/** The query for another folder; undefined if its path leads elsewhere. */
function queryWithin(query: CodeQuery, folder: string): CodeQuery | undefined {
  if (query.path === undefined) return query;
  if (!isAbsolute(query.path)) return undefined;
  const path = relative(folder, query.path);
  if (path.startsWith("..") || isAbsolute(path)) return undefined;
  const { path: _, ...rest } = query;
  return path === "" ? rest : { ...query, path };
}
