import type { Clock, MapFile, SymbolAnswer, SymbolQuery } from "@harness/core";
import type { CodeQuery, IndexProgress, IndexState } from "@harness/protocol";
import type { EmbedProgress } from "./embed/embed-missing.ts";
import { type ChangeWatch, FolderChanges } from "./folder-changes.ts";
import { commitLogPath, isCommitLogOld, removeCommitLog } from "./history/commit-log.ts";
import { fileProgress, vectorProgress } from "./index-progress.ts";
import {
  type FolderAnswer,
  type IndexProblem,
  type IndexReport,
  NO_INDEX,
  orProblem,
  type RefreshReport,
  type VectorsReport,
} from "./index-report.ts";
import { type EmbedderSource, IndexVectors } from "./index-vectors.ts";
import type { IndexProcess, UpdateEnd } from "./indexing/index-process.ts";
import type { UpdateProgress } from "./indexing/index-update.ts";
import { folderMap } from "./query/folder-map.ts";
import type { IndexSummary } from "./query/process/messages.ts";
import type { QueryProcess } from "./query/query-process.ts";
import type { IndexLocation } from "./store/stores.ts";
import { StoreAccess, type StoreDescription, type StoreSource } from "./store-access.ts";
import { after } from "./workers/after.ts";

export type FolderIndexOptions = {
  /** All files whose text may be read, relative to the folder. */
  paths(): Promise<string[]>;
  watch: ChangeWatch;
  /** The complete environment of git in the folder. */
  gitEnv: Readonly<Record<string, string>>;
  embedders: EmbedderSource;
  onProgress(progress: IndexProgress): void;
  clock: Clock;
  store: StoreSource;
};

/** `at`: how many changes were seen before. `changed`: files that differ from the index. `isFresh`: so do no commits. */
type FolderLook = { at: number; changed: readonly string[]; isFresh: boolean };

type IndexWorkers = { indexing: IndexProcess; queries: QueryProcess };

const DEFAULT_WAIT_MS = 3_000;

/**
 * The search index of one folder. `refresh` makes it; from then on searches bring it up to date first, and changes that
 * are seen do so in the background. Nothing here rejects.
 */
export class FolderIndex {
  readonly #place: { folder: string; database: string };
  readonly #store: StoreAccess;
  readonly #options: FolderIndexOptions;
  readonly #workers: IndexWorkers;
  readonly #changes: FolderChanges;
  readonly #vectors: IndexVectors;
  #cancel = new AbortController();
  #updating: Promise<UpdateEnd> | undefined;
  #progress: IndexProgress | undefined;
  #isHistoryUnreadable = false;

  constructor(place: { folder: string; database: string }, options: FolderIndexOptions, workers: IndexWorkers) {
    this.#place = place;
    this.#store = new StoreAccess(place, options.store);
    this.#options = options;
    this.#workers = workers;
    this.#changes = new FolderChanges({ ...options, monotonicMs: options.clock.monotonicMs }, () => this.#follow());
    const { embedders, clock } = options;
    const onProgress = (progress: EmbedProgress) => options.onProgress(this.#vectorProgress(progress));
    this.#vectors = new IndexVectors({ store: this.#store, embedders, clock, onProgress }, workers.indexing);
  }

  get folder(): string {
    return this.#place.folder;
  }

  get exists(): boolean {
    return this.#store.exists;
  }

  /** How many files the index has; 0 if there is none. Blocks for some milliseconds. */
  get fileCount(): number {
    return this.#store.fileCount;
  }

  get store(): StoreDescription | undefined {
    return this.#store.description;
  }

  /** While the index is brought up to date. */
  get progress(): IndexProgress | undefined {
    if (this.#progress) return { ...this.#progress, isPaused: this.#workers.indexing.isPaused };
    return this.#vectors.progress && this.#vectorProgress(this.#vectors.progress);
  }

  /** Undefined if there is no index. */
  summary(): Promise<IndexReport | IndexProblem | undefined> {
    return orProblem(async () => {
      const summary = this.exists ? await this.#summary() : undefined;
      if (!summary) return undefined;
      const { embedder: _, ...counts } = summary;
      const fresh = (await this.#look())?.isFresh ?? false;
      return { ...counts, embedder: this.#embedderName(summary), fresh, ...this.#vectorsReport() };
    });
  }

  /** Makes the index or brings it up to date. Aborting keeps the files that are indexed by then. */
  refresh({ rebuild, signal }: { rebuild: boolean; signal: AbortSignal }): Promise<RefreshReport | IndexProblem> {
    return orProblem(async () => {
      const removed = rebuild && (await this.remove());
      if (typeof removed === "object") return removed;
      const end = await this.#update(signal);
      if ("problem" in end) return end;
      await this.#vectors.make(AbortSignal.any([signal, this.#cancel.signal]));
      const summary = await this.#summary();
      if (!summary) return NO_INDEX;
      const { files, chunks, fallbacks } = summary;
      const index = { files, chunks, embedder: this.#embedderName(summary), fresh: !end.isCut };
      return { index, fallbacks, indexed: end.indexed, removed: end.removed, ...this.#vectorsReport() };
    });
  }

  /** `waitMs`: how long changed files may take to be indexed first. */
  search(query: CodeQuery, waitMs: number): Promise<FolderAnswer | IndexProblem> {
    return orProblem(async () => {
      const summary = this.exists ? await this.#summary() : undefined;
      const [fresh, vector] = await Promise.all([
        this.#freshen(waitMs),
        this.#vectors.ofQuery(query.query, summary?.embedder),
      ]);
      const question = { ...(await this.#location()), query, ...(vector && { vector }) };
      const found = this.exists && (await this.#workers.queries.ask("search", question));
      if (!found) return NO_INDEX;
      this.#vectors.resume(this.#cancel.signal);
      const state = await this.#state(fresh);
      // Without the vector of the question words alone were compared.
      const index = vector ? state : { ...state, embedder: null };
      return { results: found.hits, coverage: found.coverage, index };
    });
  }

  symbols(query: SymbolQuery): Promise<SymbolAnswer | IndexProblem> {
    return orProblem(async () => {
      const fresh = await this.#freshen(DEFAULT_WAIT_MS);
      const symbols =
        this.exists && (await this.#workers.queries.ask("symbols", { ...(await this.#location()), ...query }));
      return symbols ? { symbols, index: await this.#state(fresh) } : NO_INDEX;
    });
  }

  /** The most important files of the index as it is, the best first; none if that takes long. */
  map(): Promise<MapFile[]> {
    return this.exists ? folderMap(this.#location(), this.#workers.queries) : Promise.resolve([]);
  }

  remove(): Promise<boolean | IndexProblem> {
    return orProblem(async () => {
      const existed = this.exists;
      this.#cancel.abort();
      await this.#updating;
      await this.#vectors.end();
      this.#cancel = new AbortController();
      const end = existed ? await this.#workers.indexing.remove(await this.#location()) : undefined;
      if (end && "problem" in end) return end;
      this.#store.forget();
      removeCommitLog(this.#place.database);
      this.#changes.forget();
      return existed;
    });
  }

  close(): void {
    this.#cancel.abort();
    this.#changes.close();
  }

  /** After changes, also of `HEAD` alone: its commits are searched as well. Nothing waits for it. */
  #follow(): void {
    if (this.exists) this.#updateAll().catch(() => undefined);
  }

  /** Vectors follow in the background; their `problem` tells afterwards whether that worked. */
  async #updateAll(look?: FolderLook): Promise<UpdateEnd> {
    const end = await this.#update(new AbortController().signal, look);
    const isCut = "problem" in end || end.isCut;
    if (!isCut) void this.#vectors.make(this.#cancel.signal);
    return end;
  }

  #vectorsReport(): VectorsReport {
    const { problem } = this.#vectors;
    return problem === undefined ? {} : { embedderProblem: problem };
  }

  /** The embedder whose vectors are searched. */
  #embedderName({ embedder }: IndexSummary): string | null {
    return this.#options.embedders.wanted === undefined ? null : (embedder?.name ?? null);
  }

  #vectorProgress(progress: EmbedProgress): IndexProgress {
    return { cwd: this.folder, ...vectorProgress(progress), isPaused: this.#workers.indexing.isPaused };
  }

  async #location(): Promise<IndexLocation> {
    if (this.#store.hasMoved) this.#changes.forget();
    return this.#store.location();
  }

  async #summary(): Promise<IndexSummary | undefined> {
    return this.#workers.queries.ask("summary", await this.#location());
  }

  async #state(fresh: boolean): Promise<IndexState> {
    const summary = await this.#summary();
    return {
      files: summary?.files ?? 0,
      chunks: summary?.chunks ?? 0,
      embedder: summary ? this.#embedderName(summary) : null,
      fresh,
    };
  }

  /** Brings an existing index up to date if that takes no longer; true if it is. */
  async #freshen(waitMs: number): Promise<boolean> {
    if (!this.exists) return false;
    const look = await this.#look();
    if (look?.isFresh) return true;
    const updating = this.#updateAll(look);
    const end = waitMs > 0 ? await Promise.race([updating, after(waitMs)]) : undefined;
    return end !== undefined && !("problem" in end || end.isCut);
  }

  /**
   * Looks at every file and at `HEAD`, unless the watch has seen no change since the last look. Undefined while the index
   * is brought up to date.
   */
  async #look(): Promise<FolderLook | undefined> {
    if (this.#updating !== undefined) return undefined;
    const location = await this.#location();
    const at = await this.#changes.now();
    if (this.#changes.isIndexed(at)) return { at, changed: [], isFresh: true };
    const paths = await this.#options.paths();
    const [looked, hasNewCommits] = await Promise.all([
      this.#workers.queries.ask("changes", { ...location, paths }),
      !this.#isHistoryUnreadable && this.#hasNewCommits(),
    ]);
    if (!looked) return undefined;
    const changed = [...looked.changed, ...looked.removed];
    const isFresh = changed.length === 0 && !hasNewCommits;
    if (isFresh) this.#changes.noteIndexed(at);
    return { at, changed, isFresh };
  }

  #hasNewCommits(): Promise<boolean> {
    const { folder, database } = this.#place;
    return isCommitLogOld(commitLogPath(database), { cwd: folder, env: this.#options.gitEnv });
  }

  /** One update at a time: further requests get the outcome of the running one. `look`: it is known what has changed. */
  #update(signal: AbortSignal, look?: FolderLook): Promise<UpdateEnd> {
    this.#updating ??= this.#updateNow(AbortSignal.any([signal, this.#cancel.signal]), look).finally(() => {
      const last = this.#progress;
      this.#updating = undefined;
      this.#progress = undefined;
      if (last) this.#options.onProgress(last);
    });
    return this.#updating;
  }

  async #updateNow(signal: AbortSignal, look: FolderLook | undefined): Promise<UpdateEnd> {
    const at = look?.at ?? (await this.#changes.now());
    const startMs = this.#options.clock.monotonicMs();
    const paths = look?.changed ?? (await this.#options.paths());
    const location = await this.#location();
    const order = { ...location, gitEnv: this.#options.gitEnv, paths, isWhole: look === undefined };
    const access = this.#store.watch(location);
    if (!this.exists) this.#store.note(0);
    const end = await this.#workers.indexing.update(order, {
      signal: AbortSignal.any([signal, access.signal]),
      onProgress: (progress) => {
        this.#report(progress, startMs);
        void access.check();
      },
    });
    if ("problem" in end) return end;
    if (access.problem !== undefined) return { problem: access.problem };
    if (location.remote) this.#store.note((await this.#summary())?.files ?? 0);
    if (end.isCut) return end;
    this.#changes.noteIndexed(at);
    // Otherwise each search would try again where git takes too long.
    if (look) this.#isHistoryUnreadable = await this.#hasNewCommits();
    return end;
  }

  #report(update: UpdateProgress, startMs: number): void {
    const seconds = (this.#options.clock.monotonicMs() - startMs) / 1_000;
    const { isPaused } = this.#workers.indexing;
    this.#progress = { cwd: this.folder, ...fileProgress(update, seconds), isPaused };
    this.#options.onProgress(this.#progress);
  }
}
