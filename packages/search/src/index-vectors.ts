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
  store: Pick<StoreAccess, "exists" | "location">;
  embedders: EmbedderSource;
  clock: Clock;
  onProgress(progress: EmbedProgress): void;
};

type VectorProcess = Pick<IndexProcess, "withVectors" | "pass">;

/** `turn`: resolves when the next page may begin; `signal` may have aborted by then. */
type PassTurns = { signal: AbortSignal; turn(): Promise<void> };

/** A question is not held up by a model that is slow or gone. */
const QUERY_MS = 5_000;
/** After a question without an answer the model is left alone for so long. */
const REST_MS = 60_000;

/** Makes the vectors of an index, and those of questions to it. Nothing here rejects. */
export class IndexVectors {
  readonly #options: IndexVectorsOptions;
  readonly #indexing: VectorProcess;
  #pass: { wanted: string; outcome: Promise<string | undefined> } | undefined;
  #progress: EmbedProgress | undefined;
  #problem: string | undefined;
  #restsUntilMs = 0;
  #resumed: string | undefined;

  constructor(options: IndexVectorsOptions, indexing: VectorProcess) {
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
   * sentence if they could not all be made: what was made is kept. One pass at a time: a second call gets its outcome. A
   * pass ends with the page during which the settings name another embedder, or none, or forbid this one.
   */
  async make(signal: AbortSignal): Promise<string | undefined> {
    const { embedders } = this.#options;
    while (this.#pass && this.#pass.wanted !== embedders.wanted) await this.#pass.outcome;
    const { wanted } = embedders;
    if (wanted === undefined) {
      this.#problem = undefined;
      return undefined;
    }
    this.#pass ??= { wanted, outcome: this.#outcome(wanted, signal) };
    return this.#pass.outcome;
  }

  /** Makes in the background what is missing: once after the start of this program, and after each change of the setting. */
  resume(signal: AbortSignal): void {
    const { wanted } = this.#options.embedders;
    if (wanted !== undefined && wanted !== this.#resumed) void this.make(signal);
    this.#resumed = wanted;
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
    await this.#pass?.outcome;
  }

  /** The embedder of the settings, which may be a file without a name of its own; or the one before it. */
  async #vectorOf(query: string, { key, name }: EmbedderIdentity): Promise<Float32Array | undefined> {
    const { embedders } = this.#options;
    const signal = AbortSignal.timeout(QUERY_MS);
    for (const each of new Set([embedders.wanted ?? name, name])) {
      const found = await embedders.open(each, signal);
      if (!found.ok || found.embedder.key !== key) continue;
      const { vectors } = await found.embedder.embed([query], "query", signal);
      return vectors[0] ?? undefined;
    }
    return undefined;
  }

  /** A pass that was ended on purpose has no problem. */
  async #outcome(wanted: string, signal: AbortSignal): Promise<string | undefined> {
    const { embedders, store } = this.#options;
    const ended = new AbortController();
    const either = AbortSignal.any([signal, ended.signal]);
    let barrier: string | undefined;
    let begun: string | undefined;
    const turn = async () => {
      await this.#indexing.pass(either);
      if (either.aborted) return;
      const found = embedders.wanted === wanted ? await embedders.open(wanted, either) : undefined;
      // Rejects if the store must no longer be reached.
      if (found?.ok && (await store.location()).remote?.address === begun) return;
      if (found && !found.ok) barrier = found.problem;
      ended.abort();
    };
    try {
      begun = (await store.location()).remote?.address;
      const problem = await this.#makeNow(wanted, { signal: either, turn });
      this.#problem = either.aborted ? barrier : problem;
    } catch (error) {
      this.#problem = error instanceof Error ? error.message : String(error);
    }
    const last = this.#progress;
    this.#pass = undefined;
    this.#progress = undefined;
    if (last) this.#options.onProgress(last);
    return this.#problem;
  }

  async #makeNow(wanted: string, turns: PassTurns): Promise<string | undefined> {
    const { store, embedders } = this.#options;
    if (!store.exists || turns.signal.aborted) return undefined;
    const found = await embedders.open(wanted, turns.signal);
    return found.ok ? this.#makeBy(found.embedder, turns) : found.problem;
  }

  async #makeBy(embedder: Embedder, { signal, turn }: PassTurns): Promise<string | undefined> {
    const { store, clock, onProgress } = this.#options;
    const { name, key, dimensions } = embedder;
    return this.#indexing.withVectors(
      { ...(await store.location()), embedder: { name, key, dimensions } },
      async (writer) => {
        const pass = {
          ...{ embedder, collection: writer, clock, signal },
          pause: turn,
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
