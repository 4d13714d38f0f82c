import { existsSync } from "node:fs";
import type { SymbolAnswer, SymbolQuery } from "@harness/core";
import type { CodeAnswer, CodeQuery, IndexProgress, IndexState } from "@harness/protocol";
import { type ChangeWatch, FolderChanges } from "./folder-changes.ts";
import { removeCommitLog } from "./history/commit-log.ts";
import type { IndexProcess, UpdateEnd } from "./indexing/index-process.ts";
import type { UpdateProgress } from "./indexing/index-update.ts";
import type { IndexLocation } from "./query/process/messages.ts";
import { IndexReadError, type QueryProcess } from "./query/query-process.ts";
import { countFiles, removeDatabase } from "./store/embedded/database-file.ts";

export type FolderIndexOptions = {
  /** All files whose text may be read, relative to the folder. */
  paths(): Promise<string[]>;
  watch: ChangeWatch;
  /** The complete environment of git in the folder. */
  gitEnv: Readonly<Record<string, string>>;
  onProgress(progress: IndexProgress): void;
  monotonicMs(): number;
};

type IndexWorkers = { indexing: IndexProcess; queries: QueryProcess };

/** `fallbacks`: files that have a grammar but are not read by it. */
export type IndexReport = IndexState & { fallbacks: number; sizeBytes: number };
/** `indexed`, `removed`: files. */
export type RefreshReport = { index: IndexState; fallbacks: number; indexed: number; removed: number };
/** `coverage`: the share of the query's words that a good result has. */
export type FolderAnswer = CodeAnswer & { coverage: number };
/** `problem`: a sentence. `isMissing`: the folder has no index. `isMisuse`: the request names what is not there. */
export type IndexProblem = { problem: string; isMissing?: true; isMisuse?: true };

const NO_INDEX: IndexProblem = {
  problem: "This folder has no index yet. Make one with `harness index`, or /index in a session.",
  isMissing: true,
};
const DEFAULT_WAIT_MS = 3_000;

/**
 * The search index of one folder. `refresh` makes it; from then on searches bring it up to date first, and changes that
 * are seen do so in the background. Nothing here rejects.
 */
export class FolderIndex {
  readonly #location: IndexLocation;
  readonly #options: FolderIndexOptions;
  readonly #workers: IndexWorkers;
  readonly #changes: FolderChanges;
  #cancel = new AbortController();
  #updating: Promise<UpdateEnd> | undefined;
  #progress: IndexProgress | undefined;

  constructor(location: IndexLocation, options: FolderIndexOptions, workers: IndexWorkers) {
    this.#location = location;
    this.#options = options;
    this.#workers = workers;
    this.#changes = new FolderChanges(options, () => this.#follow());
  }

  get folder(): string {
    return this.#location.folder;
  }

  get exists(): boolean {
    return existsSync(this.#location.database);
  }

  /** How many files the index has; 0 if there is none. Blocks for some milliseconds. */
  get fileCount(): number {
    return this.exists ? countFiles(this.#location.database) : 0;
  }

  /** While the index is brought up to date. */
  get progress(): IndexProgress | undefined {
    return this.#progress && { ...this.#progress, isPaused: this.#workers.indexing.isPaused };
  }

  /** Undefined if there is no index. */
  summary(): Promise<IndexReport | IndexProblem | undefined> {
    return orProblem(async () => {
      const summary = this.exists ? await this.#workers.queries.ask("summary", this.#location) : undefined;
      return summary && { ...summary, embedder: null, fresh: await this.#isFresh() };
    });
  }

  /** Makes the index or brings it up to date. Aborting keeps the files that are indexed by then. */
  refresh({ rebuild, signal }: { rebuild: boolean; signal: AbortSignal }): Promise<RefreshReport | IndexProblem> {
    return orProblem(async () => {
      if (rebuild) await this.remove();
      const end = await this.#update(signal);
      if ("problem" in end) return end;
      const summary = await this.#workers.queries.ask("summary", this.#location);
      if (!summary) return NO_INDEX;
      const { files, chunks, fallbacks } = summary;
      const index = { files, chunks, embedder: null, fresh: !end.isCut };
      return { index, fallbacks, indexed: end.indexed, removed: end.removed };
    });
  }

  /** `waitMs`: how long changed files may take to be indexed first. */
  search(query: CodeQuery, waitMs: number): Promise<FolderAnswer | IndexProblem> {
    return orProblem(async () => {
      const fresh = await this.#freshen(waitMs);
      const found = this.exists && (await this.#workers.queries.ask("search", { ...this.#location, query }));
      if (!found) return NO_INDEX;
      return { results: found.hits, coverage: found.coverage, index: await this.#state(fresh) };
    });
  }

  symbols(query: SymbolQuery): Promise<SymbolAnswer | IndexProblem> {
    return orProblem(async () => {
      const fresh = await this.#freshen(DEFAULT_WAIT_MS);
      const symbols = this.exists && (await this.#workers.queries.ask("symbols", { ...this.#location, ...query }));
      return symbols ? { symbols, index: await this.#state(fresh) } : NO_INDEX;
    });
  }

  /** Deletes the index; true if there was one. */
  async remove(): Promise<boolean> {
    const existed = this.exists;
    // It may be paused.
    this.#cancel.abort();
    await this.#updating;
    this.#cancel = new AbortController();
    removeDatabase(this.#location.database);
    removeCommitLog(this.#location.database);
    this.#changes.forget();
    return existed;
  }

  close(): void {
    this.#changes.close();
  }

  /** After changes, also of `HEAD` alone: its commits are searched as well. Nothing waits for it. */
  #follow(): void {
    if (this.exists) void this.#update(new AbortController().signal).catch(() => undefined);
  }

  async #state(fresh: boolean): Promise<IndexState> {
    const summary = await this.#workers.queries.ask("summary", this.#location);
    return { files: summary?.files ?? 0, chunks: summary?.chunks ?? 0, embedder: null, fresh };
  }

  /** Brings an existing index up to date if that takes no longer; true if it is. */
  async #freshen(waitMs: number): Promise<boolean> {
    if (!this.exists) return false;
    if (await this.#isFresh()) return true;
    const updating = this.#update(new AbortController().signal);
    const end = waitMs > 0 ? await Promise.race([updating, after(waitMs)]) : undefined;
    return end !== undefined && !("problem" in end || end.isCut);
  }

  /** Looks at every file, unless the watch has seen no change since the last look. */
  async #isFresh(): Promise<boolean> {
    if (this.#updating !== undefined) return false;
    const at = await this.#changes.now();
    if (this.#changes.isIndexed(at)) return true;
    const paths = await this.#options.paths();
    const looked = await this.#workers.queries.ask("changes", { ...this.#location, paths });
    const isFresh = looked !== undefined && looked.changed.length + looked.removed === 0;
    if (isFresh) this.#changes.noteIndexed(at);
    return isFresh;
  }

  /** One update at a time: further requests get the outcome of the running one. */
  #update(signal: AbortSignal): Promise<UpdateEnd> {
    this.#updating ??= this.#updateNow(AbortSignal.any([signal, this.#cancel.signal])).finally(() => {
      const last = this.#progress;
      this.#updating = undefined;
      this.#progress = undefined;
      if (last) this.#options.onProgress(last);
    });
    return this.#updating;
  }

  async #updateNow(signal: AbortSignal): Promise<UpdateEnd> {
    const at = await this.#changes.now();
    const startMs = this.#options.monotonicMs();
    const { gitEnv } = this.#options;
    const order = { ...this.#location, gitEnv, paths: await this.#options.paths(), isWhole: true };
    const end = await this.#workers.indexing.update(order, {
      signal,
      onProgress: (progress) => this.#report(progress, startMs),
    });
    if (!("problem" in end || end.isCut)) this.#changes.noteIndexed(at);
    return end;
  }

  #report({ filesDone, filesTotal }: UpdateProgress, startMs: number): void {
    const seconds = (this.#options.monotonicMs() - startMs) / 1_000;
    const rate = seconds > 0 && filesDone > 0 ? filesDone / seconds : undefined;
    this.#progress = {
      cwd: this.folder,
      filesDone,
      filesTotal,
      ...(rate !== undefined && { rate, restMs: Math.round(((filesTotal - filesDone) / rate) * 1_000) }),
      isPaused: this.#workers.indexing.isPaused,
    };
    this.#options.onProgress(this.#progress);
  }
}

async function orProblem<T>(work: () => Promise<T>): Promise<T | IndexProblem> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof IndexReadError) return { problem: error.message };
    throw error;
  }
}

function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref();
  });
}
