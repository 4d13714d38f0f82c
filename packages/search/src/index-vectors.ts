import type { Clock, Embedder, EmbedderResult } from "@harness/core";
import { type EmbedProgress, embedMissing } from "./embed/embed-missing.ts";
import type { EmbedderIdentity } from "./embed/vector-collection.ts";
import type { IndexProcess } from "./indexing/index-process.ts";
import type { QueryVector } from "./query/process/messages.ts";
import type { StoreAccess } from "./store-access.ts";

/** The embedders that an index may have. */
export interface EmbedderSource {
  /** The name in the settings; undefined: words alone are compared. */
  readonly wanted: string | undefined;
  open(name: string, signal: AbortSignal): Promise<EmbedderResult>;
}

export type IndexVectorsOptions = {
  store: StoreAccess;
  embedders: EmbedderSource;
  clock: Clock;
  onProgress(progress: EmbedProgress): void;
};

/** A question is not held up by a model that is slow or gone. */
const QUERY_MS = 5_000;
/** After a question without an answer the model is left alone for so long. */
const REST_MS = 60_000;

/** Makes the vectors of an index, and those of questions to it. Nothing here rejects. */
export class IndexVectors {
  readonly #options: IndexVectorsOptions;
  readonly #indexing: IndexProcess;
  #making: Promise<string | undefined> | undefined;
  #progress: EmbedProgress | undefined;
  #problem: string | undefined;
  #restsUntilMs = 0;

  constructor(options: IndexVectorsOptions, indexing: IndexProcess) {
    this.#options = options;
    this.#indexing = indexing;
  }

  /** While vectors are made. */
  get progress(): EmbedProgress | undefined {
    return this.#progress;
  }

  /** The reason why vectors are missing, as a sentence. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /**
   * Makes the vectors that are missing; those of another embedder are searched until all of its own are there. Returns a
   * sentence if they could not all be made: what was made is kept. One pass at a time: a second call gets its outcome.
   */
  make(signal: AbortSignal): Promise<string | undefined> {
    this.#making ??= this.#makeNow(signal)
      .catch((error) => (error instanceof Error ? error.message : String(error)))
      .then((problem) => {
        const last = this.#progress;
        this.#making = undefined;
        this.#progress = undefined;
        this.#problem = signal.aborted ? undefined : problem;
        if (last) this.#options.onProgress(last);
        return problem;
      });
    return this.#making;
  }

  /** The vector of a question for the index; undefined if there is no embedder for it, or it does not answer in time. */
  async ofQuery(query: string, adopted: EmbedderIdentity | undefined): Promise<QueryVector | undefined> {
    const { clock, embedders } = this.#options;
    if (!adopted || embedders.wanted === undefined || clock.monotonicMs() < this.#restsUntilMs) return undefined;
    const vector = await this.#vectorOf(query, adopted).catch(() => undefined);
    if (vector) return { key: adopted.key, vector };
    this.#restsUntilMs = clock.monotonicMs() + REST_MS;
    return undefined;
  }

  /** Resolves when no pass runs. */
  async end(): Promise<void> {
    await this.#making;
  }

  async #vectorOf(query: string, { key, name }: EmbedderIdentity): Promise<Float32Array | undefined> {
    const signal = AbortSignal.timeout(QUERY_MS);
    const found = await this.#options.embedders.open(name, signal);
    if (!found.ok || found.embedder.key !== key) return undefined;
    const { vectors } = await found.embedder.embed([query], "query", signal);
    return vectors[0] ?? undefined;
  }

  async #makeNow(signal: AbortSignal): Promise<string | undefined> {
    const { store, embedders } = this.#options;
    if (embedders.wanted === undefined || !store.exists || signal.aborted) return undefined;
    const found = await embedders.open(embedders.wanted, signal);
    return found.ok ? this.#makeBy(found.embedder, signal) : found.problem;
  }

  async #makeBy(embedder: Embedder, signal: AbortSignal): Promise<string | undefined> {
    const { store, clock, onProgress } = this.#options;
    const { name, key, dimensions } = embedder;
    return this.#indexing.withVectors(
      { ...(await store.location()), embedder: { name, key, dimensions } },
      async (writer) => {
        const pass = {
          ...{ embedder, collection: writer, clock, signal },
          pause: () => this.#indexing.pass(signal),
          onProgress: (progress: EmbedProgress) => {
            this.#progress = progress;
            onProgress(progress);
          },
        };
        const { problem } = await embedMissing(pass);
        if (problem) return problem.message;
        await writer.adopt();
        return undefined;
      },
    );
  }
}
