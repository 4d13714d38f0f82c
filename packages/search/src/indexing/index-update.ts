import { chunkMovedSource } from "../chunks/chunk-source.ts";
import type { Chunker, SourceChunks } from "../chunks/chunker.ts";
import type { FileState, IndexedFile, IndexStore } from "../store/index-store.ts";
import { type FileOnDisk, type FileScan, scanFiles, scanSome, settledTime } from "./file-scan.ts";
import { readSource } from "./source-text.ts";

/** Few enough that a kill costs little, many enough that writing is fast. */
const BATCH_FILES = 512;
const BATCH_CHARACTERS = 3 * 1024 * 1024;

export type UpdateProgress = { filesDone: number; filesTotal: number };

export type UpdateOutcome = {
  /** Files whose text was read and indexed. */
  indexed: number;
  removed: number;
  /** Cancelled: what was stored until then is usable. */
  isCut: boolean;
};

export type UpdateOptions = {
  folder: string;
  /** Relative to the folder. */
  paths: readonly string[];
  /** True if there are no other files in the folder. */
  isWhole: boolean;
  signal: AbortSignal;
  onProgress(progress: UpdateProgress): void;
  /** Resolves when work may go on: at once, or after a pause. */
  turn(): Promise<void>;
  nowMs(): number;
  /** How many files are stored at once. */
  batchFiles?: number;
};

type Source = { state: FileState; text: string };
/** `touched`: files whose content is as before. `taken`: how many files were looked at. */
type Batch = { sources: Source[]; textless: IndexedFile[]; touched: FileState[]; taken: number };

/** Brings an index up to date with the files of its folder, batch by batch. */
export class IndexUpdate {
  readonly #store: IndexStore;
  readonly #chunker: Chunker;
  readonly #options: UpdateOptions;
  /** Files that are gone, by the digest of their content; they leave the index last. */
  readonly #movedFrom = new Map<string, string>();
  readonly #outcome: UpdateOutcome = { indexed: 0, removed: 0, isCut: false };

  constructor(store: IndexStore, chunker: Chunker, options: UpdateOptions) {
    this.#store = store;
    this.#chunker = chunker;
    this.#options = options;
  }

  /** Rejects with the store's errors. */
  async run(): Promise<UpdateOutcome> {
    const { folder, paths, isWhole, signal } = this.#options;
    const known = await this.#store.files();
    const scan = isWhole ? scanFiles(folder, paths, known) : scanSome(folder, paths, known);
    await this.#apply(scan, known);
    while (!signal.aborted && (await this.#store.tidy())) await this.#options.turn();
    this.#outcome.isCut = signal.aborted;
    return this.#outcome;
  }

  async #apply({ changed, removed }: FileScan, known: ReadonlyMap<string, FileState>): Promise<void> {
    const { signal, turn, onProgress } = this.#options;
    for (const path of removed) this.#movedFrom.set(known.get(path)?.digest ?? "", path);
    let next = this.#readBatch(changed, 0, known);
    for (let at = 0; at < changed.length && !signal.aborted; ) {
      await turn();
      const { batch, indexed } = next;
      const put = [...batch.textless, ...(await indexed)];
      at += batch.taken;
      // Threads cut the next files while these are written.
      if (!signal.aborted) next = this.#readBatch(changed, at, known);
      await this.#store.write({ put, touched: batch.touched, removed: [] });
      this.#outcome.indexed += batch.sources.length;
      onProgress({ filesDone: at, filesTotal: changed.length });
    }
    await next.indexed;
    if (signal.aborted || removed.length === 0) return;
    await this.#store.write({ put: [], touched: [], removed });
    this.#outcome.removed = removed.length;
  }

  #readBatch(changed: readonly FileOnDisk[], from: number, known: ReadonlyMap<string, FileState>) {
    const batch = this.#nextBatch(changed, from, known);
    return { batch, indexed: this.#chunked(batch.sources) };
  }

  #nextBatch(changed: readonly FileOnDisk[], from: number, known: ReadonlyMap<string, FileState>): Batch {
    const batch: Batch = { sources: [], textless: [], touched: [], taken: 0 };
    let characters = 0;
    for (const found of changed.slice(from, from + (this.#options.batchFiles ?? BATCH_FILES))) {
      if (characters >= BATCH_CHARACTERS) break;
      batch.taken += 1;
      const read = readSource(this.#options.folder, found.path);
      const mtimeMs = settledTime(found.mtimeMs, this.#options.nowMs());
      const state = { ...found, mtimeMs, digest: read?.digest ?? "" };
      if (known.get(found.path)?.digest === state.digest) batch.touched.push(state);
      else if (read?.text === undefined)
        batch.textless.push({ ...state, language: "", header: "", isFallback: false, chunks: [] });
      else {
        batch.sources.push({ state, text: read.text });
        characters += read.text.length;
      }
    }
    return batch;
  }

  async #chunked(sources: readonly Source[]): Promise<IndexedFile[]> {
    const done: IndexedFile[] = [];
    const rest: Source[] = [];
    for (const source of sources) {
      const moved = await this.#chunkMoved(source);
      if (moved) done.push({ ...source.state, ...moved });
      else rest.push(source);
    }
    const chunked = await this.#chunker.chunk(rest.map(({ state, text }) => ({ path: state.path, text })));
    for (const [index, { state }] of rest.entries()) {
      const file = chunked[index];
      if (file) done.push({ ...state, ...file });
    }
    return done;
  }

  /** A renamed file is not parsed again: the index still has its chunks under the name before. */
  async #chunkMoved({ state, text }: Source): Promise<SourceChunks | undefined> {
    const before = this.#movedFrom.get(state.digest);
    return before === undefined
      ? undefined
      : chunkMovedSource({ path: state.path, text }, await this.#store.fileChunks(before));
  }
}
