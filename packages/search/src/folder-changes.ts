/** Calls when a file of the folder may have changed; resolves to a function that ends it, undefined: not possible. */
export type ChangeWatch = (onChange: () => void) => Promise<(() => void) | undefined>;

/** The watch may miss changes: only so many folders are watched, and no network drives. */
const TRUST_MS = 30_000;
/** Changes that follow each other as quickly, as when git switches branches, are one. */
const QUIET_MS = 1_500;

export type FolderChangesOptions = { watch: ChangeWatch; monotonicMs(): number };

/** Says whether a folder may have changed since its files were indexed. The watch begins with the first question. */
export class FolderChanges {
  readonly #options: FolderChangesOptions;
  readonly #onQuiet: () => void;
  #count = 0;
  #starting: Promise<void> | undefined;
  #isWatched = false;
  #stop: (() => void) | undefined;
  #isClosed = false;
  #quiet: NodeJS.Timeout | undefined;
  #indexed: { count: number; atMs: number } | undefined;

  /** `onQuiet`: called some time after changes. */
  constructor(options: FolderChangesOptions, onQuiet: () => void) {
    this.#options = options;
    this.#onQuiet = onQuiet;
  }

  /** How many changes were seen so far. */
  async now(): Promise<number> {
    this.#starting ??= this.#start();
    await this.#starting;
    return this.#count;
  }

  /** True if the index had all files at that count, and the watch can be trusted since. */
  isIndexed(count: number): boolean {
    const indexed = this.#indexed;
    return this.#isWatched && indexed?.count === count && this.#options.monotonicMs() - indexed.atMs < TRUST_MS;
  }

  noteIndexed(count: number): void {
    this.#indexed = { count, atMs: this.#options.monotonicMs() };
  }

  forget(): void {
    this.#indexed = undefined;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#quiet);
    this.#stop?.();
  }

  async #start(): Promise<void> {
    const stop = await this.#options.watch(() => this.#note());
    this.#isWatched = stop !== undefined;
    if (this.#isClosed) stop?.();
    else this.#stop = stop;
  }

  #note(): void {
    this.#count += 1;
    clearTimeout(this.#quiet);
    if (!this.#isClosed) this.#quiet = setTimeout(this.#onQuiet, QUIET_MS).unref();
  }
}
