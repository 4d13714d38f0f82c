import { join } from "node:path";
// biome-ignore lint/style/noRestrictedImports: this process is not started from a snapshot.
import { Worker } from "node:worker_threads";
import type { SourceFile } from "./chunk-file.ts";
import type { SourceChunks } from "./chunker.ts";
import { type PackedSources, unpackSources } from "./packed-sources.ts";

/** The deadline of the grammars is two seconds a file: a thread that is silent for longer hangs. */
const SILENCE_MS = 60_000;
const MAX_HEAP_MB = 128;

/** A thread that cuts files into chunks, one list at a time. It keeps the program running only while it works. */
export class ChunkThread {
  readonly #worker: Worker;
  #settle: ((sources: SourceChunks[] | undefined) => void) | undefined;
  #isOver = false;

  constructor(entry = defaultEntry()) {
    this.#worker = new Worker(entry, {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 6 },
    });
    this.#worker.unref();
    this.#worker.on("message", (packed: PackedSources) => this.#finish(unpackSources(packed)));
    // An error is followed by the exit.
    this.#worker.on("error", () => undefined);
    this.#worker.once("exit", () => {
      this.#isOver = true;
      this.#finish(undefined);
    });
  }

  /** Undefined if the thread has ended before it was done; it cannot be used any more. */
  async chunk(files: readonly SourceFile[]): Promise<SourceChunks[] | undefined> {
    if (this.#isOver) return undefined;
    const timer = setTimeout(() => void this.end(), SILENCE_MS);
    this.#worker.ref();
    try {
      return await new Promise((resolve) => {
        this.#settle = resolve;
        this.#worker.postMessage(files);
      });
    } finally {
      clearTimeout(timer);
      this.#worker.unref();
    }
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #finish(sources: SourceChunks[] | undefined): void {
    this.#settle?.(sources);
    this.#settle = undefined;
  }
}

/** The bundle's own entry next to this code, or its source if run from source. */
function defaultEntry(): string {
  return join(import.meta.dirname, import.meta.filename.endsWith(".ts") ? "chunk-worker.ts" : "search-chunker.mjs");
}
