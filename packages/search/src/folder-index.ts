import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CodeSearch, FileList, SymbolAnswer, SymbolQuery } from "@harness/core";
import type { CodeAnswer, CodeQuery, IndexProgress, IndexState } from "@harness/protocol";
import type { IndexProcess, UpdateEnd } from "./indexing/index-process.ts";
import type { UpdateProgress } from "./indexing/index-update.ts";
import type { IndexLocation, IndexSummary } from "./query/process/messages.ts";
import type { QueryProcess } from "./query/query-process.ts";
import { countFiles, removeDatabase } from "./store/embedded/database-file.ts";

export type FolderIndexOptions = {
  files: Pick<FileList, "all" | "isSecret" | "watch">;
  git: {
    /** Of its commands in the folder, complete. */
    environment: Readonly<Record<string, string>>;
    /** True if the folder is in a repository, so that it can be watched. */
    isRepository(): Promise<boolean>;
  };
  onProgress(progress: IndexProgress): void;
  monotonicMs(): number;
};

/** Changes may have been missed: so many folders are watched, and no network drives. */
const TRUST_MS = 30_000;
/** Changes that follow each other so quickly, as when git switches branches, are indexed together. */
const QUIET_MS = 1_500;
const DEFAULT_WAIT_MS = 3_000;

type Engine = { indexing: IndexProcess; queries: QueryProcess };

/** `indexed`, `removed`: files. */
export type Refreshed = { index: IndexState; fallbacks: number; indexed: number; removed: number };
/** `problem`: a sentence. `isMissing`: the folder has no index. */
export type IndexProblem = { problem: string; isMissing?: true };

/**
 * The folder as its watch sees it. `changes`: how many were seen. `indexed`: at which of them the index had all files,
 * and when that was found out.
 */
type FolderState = {
  changes: number;
  isWatched: boolean;
  indexed: { changes: number; atMs: number } | undefined;
  stop(): void;
};

const NO_INDEX: IndexProblem = {
  problem: "This folder has no index yet. Make one with `harness index`, or /index in a session.",
  isMissing: true,
};

/**
 * The search index of one folder. It is made by `refresh`; from then on searches bring it up to date first, and the
 * folder is watched once it was searched. Nothing here throws for the file system.
 */
export class FolderIndex implements CodeSearch {
  readonly #place: IndexLocation;
  readonly #options: FolderIndexOptions;
  readonly #engine: Engine;
  /** Rejects never. */
  #updating: Promise<UpdateEnd> | undefined;
  #progress: IndexProgress | undefined;
  #soon: NodeJS.Timeout | undefined;
  #watch: FolderState | undefined;

  constructor(place: IndexLocation, options: FolderIndexOptions, engine: Engine) {
    this.#place = place;
    this.#options = options;
    this.#engine = engine;
  }

  get exists(): boolean {
    return existsSync(this.#place.database);
  }

  get folder(): string {
    return this.#place.folder;
  }

  /** How many files the index has; 0 if there is none. Blocks for some milliseconds. */
  get fileCount(): number {
    return countFiles(this.#place.database);
  }

  get progress(): IndexProgress | undefined {
    return this.#progress;
  }

  /** Undefined if there is no index. Rejects with an `IndexReadError`. */
  async summary(): Promise<(IndexSummary & IndexState) | undefined> {
    const summary = this.exists ? await this.#engine.queries.ask("summary", this.#place) : undefined;
    return summary && { ...summary, embedder: null, fresh: await this.#isFresh() };
  }

  /** Makes the index or brings it up to date. Rejects with an `IndexReadError`. */
  async refresh({ anew, signal }: { anew: boolean; signal: AbortSignal }): Promise<Refreshed | IndexProblem> {
    if (anew) await this.remove();
    const end = await this.#update(signal);
    if ("problem" in end) return end;
    const summary = await this.summary();
    if (!summary) return NO_INDEX;
    const { files, chunks, embedder, fresh, fallbacks } = summary;
    return { index: { files, chunks, embedder, fresh }, fallbacks, indexed: end.indexed, removed: end.removed };
  }

  /** `waitMs`: how long changed files may take to be indexed first. Rejects with an `IndexReadError`. */
  async search(query: CodeQuery, waitMs: number): Promise<CodeAnswer | IndexProblem> {
    const fresh = await this.#freshen(waitMs);
    const results = this.exists && (await this.#engine.queries.ask("search", { ...this.#place, query }));
    return results ? { results, index: await this.#state(fresh) } : NO_INDEX;
  }

  async symbols(query: SymbolQuery): Promise<SymbolAnswer | IndexProblem> {
    const fresh = await this.#freshen(DEFAULT_WAIT_MS);
    const symbols = this.exists && (await this.#engine.queries.ask("symbols", { ...this.#place, ...query }));
    return symbols ? { symbols, index: await this.#state(fresh) } : NO_INDEX;
  }

  /** True if there was one. */
  async remove(): Promise<boolean> {
    const existed = this.exists;
    await this.#updating;
    removeDatabase(this.#place.database);
    if (this.#watch) this.#watch.indexed = undefined;
    return existed;
  }

  close(): void {
    clearTimeout(this.#soon);
    this.#watch?.stop();
    this.#watch = undefined;
  }

  async #state(fresh: boolean): Promise<IndexState> {
    const summary = await this.#engine.queries.ask("summary", this.#place);
    return { files: summary?.files ?? 0, chunks: summary?.chunks ?? 0, embedder: null, fresh };
  }

  /** Brings an existing index up to date if that takes no longer; true if it is. */
  async #freshen(waitMs: number): Promise<boolean> {
    if (!this.exists || (await this.#isFresh())) return this.exists;
    const updating = this.#update(new AbortController().signal);
    const end = await Promise.race([updating, after(waitMs)]);
    return end !== undefined && !("problem" in end);
  }

  /** Looks at every file unless the watch has seen no change since the last look. */
  async #isFresh(): Promise<boolean> {
    if (this.#updating !== undefined) return false;
    const watch = await this.#watched();
    const { changes } = watch;
    const nowMs = this.#options.monotonicMs();
    if (watch.isWatched && watch.indexed?.changes === changes && nowMs - watch.indexed.atMs < TRUST_MS) return true;
    const looked = await this.#engine.queries.ask("changes", { ...this.#place, paths: await this.#paths() });
    const isFresh = looked !== undefined && looked.changed.length + looked.removed === 0;
    if (isFresh) watch.indexed = { changes, atMs: nowMs };
    return isFresh;
  }

  async #watched(): Promise<FolderState> {
    if (this.#watch) return this.#watch;
    const watch: FolderState = { changes: 0, isWatched: false, indexed: undefined, stop: () => undefined };
    this.#watch = watch;
    if (!(await this.#options.git.isRepository())) return watch;
    const stop = await this.#options.files.watch(this.#place.folder, () => {
      watch.changes += 1;
      this.#updateSoon();
    });
    watch.isWatched = true;
    if (this.#watch === watch) watch.stop = stop;
    else stop();
    return watch;
  }

  #updateSoon(): void {
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => this.#freshen(0).catch(() => undefined), QUIET_MS).unref();
  }

  /** One update at a time; a second request gets the outcome of the running one. */
  #update(signal: AbortSignal): Promise<UpdateEnd> {
    this.#updating ??= this.#updateNow(signal).finally(() => {
      this.#updating = undefined;
      this.#progress = undefined;
    });
    return this.#updating;
  }

  async #updateNow(signal: AbortSignal): Promise<UpdateEnd> {
    const watch = await this.#watched();
    const { changes } = watch;
    const startMs = this.#options.monotonicMs();
    const order = { ...this.#place, gitEnv: this.#options.git.environment, paths: await this.#paths(), isWhole: true };
    const end = await this.#engine.indexing.update(order, {
      signal,
      onProgress: (progress) => this.#report(progress, startMs),
    });
    if (!("problem" in end || end.isCut)) watch.indexed = { changes, atMs: this.#options.monotonicMs() };
    return end;
  }

  #report({ filesDone, filesTotal }: UpdateProgress, startMs: number): void {
    const seconds = (this.#options.monotonicMs() - startMs) / 1_000;
    const rate = seconds > 0 && filesDone > 0 ? filesDone / seconds : undefined;
    this.#progress = {
      cwd: this.#place.folder,
      filesDone,
      filesTotal,
      ...(rate !== undefined && { rate, restMs: Math.round(((filesTotal - filesDone) / rate) * 1_000) }),
      isPaused: this.#engine.indexing.isPaused,
    };
    this.#options.onProgress(this.#progress);
  }

  /** All files whose text may be read. */
  async #paths(): Promise<string[]> {
    const { folder } = this.#place;
    const { files } = await this.#options.files.all(folder);
    return files.filter((path) => !this.#options.files.isSecret(join(folder, path)));
  }
}

function after(ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref();
  });
}
