import { existsSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import type { CodeSearch, MapFile, SymbolAnswer, SymbolQuery } from "@harness/core";
import type { CodeAnswer, CodeHit, CodeQuery, IndexedFolder, IndexProgress, IndexState } from "@harness/protocol";
import type { FolderIndex } from "./folder-index.ts";
import type { FolderAnswer, IndexProblem, IndexReport, RefreshReport, VectorsReport } from "./index-report.ts";
import type { ResultReranker } from "./rerank/result-reranker.ts";
import type { StoreDescription } from "./store-access.ts";

/** A folder that is searched along with the workspace: an additional one, or with `name` a collection of documents. */
export type SearchFolder = { folder: string; name?: string | undefined; index: FolderIndex };

type RefreshOptions = { rebuild: boolean; signal: AbortSignal };

/**
 * The indexes of a workspace: its folder's own, and those of the folders that are searched along with it. Paths are
 * relative to the workspace's folder in its own index, and absolute in the others.
 */
export class IndexGroup implements CodeSearch {
  readonly #own: FolderIndex;
  readonly #others: () => readonly SearchFolder[];
  readonly #reranker: ResultReranker;

  constructor(own: FolderIndex, others: () => readonly SearchFolder[], reranker: ResultReranker) {
    this.#own = own;
    this.#others = others;
    this.#reranker = reranker;
  }

  get folder(): string {
    return this.#own.folder;
  }

  /** True if the workspace's folder is indexed. */
  get exists(): boolean {
    return this.#own.exists;
  }

  get collections(): string[] {
    return this.#others().flatMap(({ name }) => name ?? []);
  }

  /** How many files the indexes have. Blocks for some milliseconds. */
  get fileCount(): number {
    return this.#present().reduce((sum, { index }) => sum + index.fileCount, 0);
  }

  get progress(): IndexProgress | undefined {
    return this.#all().find(({ index }) => index.progress)?.index.progress;
  }

  /** Undefined if the workspace's folder is not indexed. */
  async summary(): Promise<IndexReport | IndexProblem | undefined> {
    if (!this.exists) return undefined;
    const reports: IndexReport[] = [];
    for (const { index } of this.#present()) {
      const report = await index.summary();
      if (report && "problem" in report) return report;
      if (report) reports.push(report);
    }
    if (reports.length === 0) return undefined;
    return reports.reduce((sum, report) => ({
      ...added(sum, report),
      fallbacks: sum.fallbacks + report.fallbacks,
      sizeBytes: sum.sizeBytes + report.sizeBytes,
      ...firstProblem(sum, report),
    }));
  }

  /** The folders with the sizes of their indexes, the workspace's first. */
  async list(): Promise<IndexedFolder[] | IndexProblem> {
    const folders: IndexedFolder[] = [];
    for (const { folder, name, index } of this.#all()) {
      const isOwn = index === this.#own;
      const isThere = isOwn || existsSync(folder);
      const report = isThere ? await index.summary() : undefined;
      if (report && "problem" in report) return report;
      folders.push({
        folder,
        kind: isOwn ? "workspace" : name === undefined ? "additional" : "collection",
        ...(name !== undefined && { name }),
        ...(!isThere && { isMissing: true as const }),
        ...(report && { index: report }),
      });
    }
    return folders;
  }

  /** Makes the indexes or brings them up to date, one after the other; with a name only that collection's. */
  async refresh(options: RefreshOptions, collection?: string): Promise<RefreshReport | IndexProblem> {
    let sum: RefreshReport | undefined;
    const isMeant = ({ name }: SearchFolder) => collection === undefined || name === collection;
    for (const { index } of this.#present().filter(isMeant)) {
      // A rebuild would delete the index, and not make another.
      if (sum && options.signal.aborted) break;
      const report = await index.refresh(options);
      if ("problem" in report) return report;
      sum = sum
        ? {
            index: added(sum.index, report.index),
            fallbacks: sum.fallbacks + report.fallbacks,
            indexed: sum.indexed + report.indexed,
            removed: sum.removed + report.removed,
            ...firstProblem(sum, report),
          }
        : report;
    }
    return sum ?? { problem: "There is no folder to index." };
  }

  async search(query: CodeQuery, waitMs: number): Promise<CodeAnswer | IndexProblem> {
    const answer = await this.#ranked({ ...query, limit: this.#reranker.wantedResults(query.limit) }, waitMs);
    if ("problem" in answer) return answer;
    const { results, ...reranked } = await this.#reranker.rerank(query.query, answer.results);
    return { ...answer, results: results.slice(0, query.limit), ...reranked };
  }

  async #ranked({ collection, ...query }: CodeQuery, waitMs: number): Promise<CodeAnswer | IndexProblem> {
    if (collection !== undefined) return this.#searchCollection(collection, query, waitMs);
    const answer = await this.#own.search(query, waitMs);
    if ("problem" in answer) return answer;
    const all = [answer];
    for (const place of this.#present().slice(1)) {
      const other = await searchPlace(place, query, waitMs);
      if (other && !("problem" in other)) all.push(other);
    }
    const results = onceEach(merged(all), this.folder);
    return { results: results.slice(0, query.limit), index: all.map(({ index }) => index).reduce(added) };
  }

  async symbols(query: SymbolQuery): Promise<SymbolAnswer | IndexProblem> {
    const answer = await this.#own.symbols(query);
    if ("problem" in answer) return answer;
    const symbols = [...answer.symbols];
    for (const { folder, index } of this.#present().slice(1)) {
      const other = index.exists ? await index.symbols(query) : undefined;
      if (other && !("problem" in other))
        symbols.push(...other.symbols.map((symbol) => ({ ...symbol, path: join(folder, symbol.path) })));
    }
    return { symbols: symbols.slice(0, query.limit), index: answer.index };
  }

  /** The most important files of the workspace's folder, the best first. */
  map(): Promise<MapFile[]> {
    return this.#own.map();
  }

  /** The store elsewhere in which indexes are kept; undefined: on this machine, or the address is not valid. */
  get store(): StoreDescription | undefined {
    return this.#own.store;
  }

  /** Deletes the index of the workspace's folder; true if there was one. */
  remove(): Promise<boolean | IndexProblem> {
    return this.#own.remove();
  }

  /** The index of a collection; undefined if there is no such collection. */
  collection(named: string): FolderIndex | undefined {
    return this.#others().find(({ name }) => name === named)?.index;
  }

  /** True if searches cover the folder. */
  covers(folder: string): boolean {
    return this.#all().some((each) => each.folder === folder);
  }

  close(): void {
    for (const { index } of this.#all()) index.close();
  }

  #all(): SearchFolder[] {
    return [{ folder: this.folder, index: this.#own }, ...this.#others()];
  }

  /** Without folders that are gone, such as those of a drive that is not mounted: their indexes stay as they are. */
  #present(): SearchFolder[] {
    return this.#all().filter(({ folder, index }) => index === this.#own || existsSync(folder));
  }

  async #searchCollection(wanted: string, query: CodeQuery, waitMs: number): Promise<CodeAnswer | IndexProblem> {
    const place = this.#others().find(({ name }) => name === wanted);
    if (!place) return { problem: noCollection(wanted, this.collections), isMisuse: true };
    if (!existsSync(place.folder)) return { problem: `The folder of ${wanted} is not there: ${place.folder}.` };
    const path = query.path === undefined ? {} : { path: resolve(place.folder, query.path) };
    const answer = await searchPlace(place, { ...query, ...path }, waitMs);
    const problem = `${wanted} is not indexed yet. Index it with \`harness index\`, or /index in a session.`;
    if (!answer) return { problem, isMissing: true };
    return "problem" in answer ? answer : { results: answer.results, index: answer.index };
  }
}

/** A sentence for people. */
export function noCollection(name: string, collections: readonly string[]): string {
  const known = collections.length > 0 ? `There are: ${collections.join(", ")}.` : "Add one with `harness index add`.";
  return `There is no collection named ${name}. ${known}`;
}

/** With the paths and the name of another folder; undefined if it has no index, or the query is about other files. */
async function searchPlace({ folder, name, index }: SearchFolder, query: CodeQuery, waitMs: number) {
  const inside = queryWithin(query, folder);
  const answer = index.exists && inside ? await index.search(inside, waitMs) : undefined;
  if (!answer || "problem" in answer) return answer;
  const collection = name === undefined ? {} : { collection: name };
  const results = answer.results.map((hit) => ({ ...hit, path: join(folder, hit.path), ...collection }));
  return { ...answer, results };
}

/** The best first, though the score of the best is 1 in each answer: one that has fewer of the words gets less. */
function merged(answers: readonly FolderAnswer[]): CodeHit[] {
  const most = Math.max(...answers.map(({ coverage }) => coverage));
  const hits = answers.flatMap(({ results, coverage }) =>
    results.map((hit) => ({ ...hit, score: most > 0 ? (hit.score * coverage) / most : hit.score })),
  );
  return hits.sort((one, other) => other.score - one.score);
}

/** A collection may be a part of the workspace, or contain it. */
function onceEach(hits: readonly CodeHit[], folder: string): CodeHit[] {
  const seen = new Map<string, CodeHit>();
  for (const hit of hits) {
    const key = `${resolve(folder, hit.path)}:${hit.startLine}`;
    const known = seen.get(key);
    if (!known) seen.set(key, hit);
    else if (known.collection === undefined && hit.collection !== undefined)
      seen.set(key, { ...known, collection: hit.collection });
  }
  return [...seen.values()];
}

/** One embedder makes the vectors of all folders. */
function firstProblem(one: VectorsReport, other: VectorsReport): VectorsReport {
  const embedderProblem = one.embedderProblem ?? other.embedderProblem;
  return embedderProblem === undefined ? {} : { embedderProblem };
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
