import type { Clock, Embedder, EmbeddingProblem } from "@harness/core";
import type { MissingText, VectorCollection } from "./vector-collection.ts";

export type EmbedProgress = {
  done: number;
  total: number;
  /** Texts a second since the pass began; 0: unknown. */
  perSecond: number;
  /** It waits so long because of a problem, and then goes on. */
  waiting?: { ms: number; problem: EmbeddingProblem };
};

/** `embedded`, `givenUp`: texts of this pass. A problem ended it early: another pass goes on from there. */
export type EmbedEnd = { embedded: number; givenUp: number; problem?: EmbeddingProblem };

export type EmbedOptions = {
  embedder: Embedder;
  collection: VectorCollection;
  clock: Clock;
  signal: AbortSignal;
  /** Resolves when the pass may go on; absent: it is never paused. */
  pause?: (signal: AbortSignal) => Promise<void>;
  onProgress(progress: EmbedProgress): void;
};

/** Texts that are embedded and stored together: what a kill loses at most. */
const PAGE = 64;
const FIRST_WAIT_MS = 5_000;
const MAX_WAIT_MS = 5 * 60_000;
/** This many waits in a row without a vector: the user should hear of it. */
const MAX_WAITS = 6;
/** Counting all texts of a large index takes longer than storing a page. */
const PAGES_A_COUNT = 20;
/** If the model has a vector for this, texts without one are at fault. */
const PROBE = "function add(a, b) { return a + b; }";

/** Makes the vectors that an index lacks, page by page. Rejects only if the collection does. */
export async function embedMissing(options: EmbedOptions): Promise<EmbedEnd> {
  return new EmbeddingWork(options).run();
}

class EmbeddingWork {
  readonly #options: EmbedOptions;
  readonly #end: EmbedEnd = { embedded: 0, givenUp: 0 };
  readonly #startedMs: number;
  #waits = 0;
  /** `before`: the texts that were done when the pass began. */
  #counted: { before: number; total: number; pages: number } | undefined;

  constructor(options: EmbedOptions) {
    this.#options = options;
    this.#startedMs = options.clock.monotonicMs();
  }

  async run(): Promise<EmbedEnd> {
    const { collection, signal, pause } = this.#options;
    for (;;) {
      await pause?.(signal);
      if (signal.aborted) return { ...this.#end, problem: { kind: "stopped", message: "Embedding was stopped." } };
      const page = await collection.missing(PAGE);
      if (page.length === 0) {
        this.#counted = undefined;
        if (this.#end.embedded + this.#end.givenUp > 0) await this.#report();
        return this.#end;
      }
      const problem = await this.#embed(page);
      if (problem) return { ...this.#end, problem };
      await this.#report();
    }
  }

  /** Returns the problem that ends the pass. */
  async #embed(page: readonly MissingText[]): Promise<EmbeddingProblem | undefined> {
    const { embedder, collection, signal } = this.#options;
    const { vectors, problem } = await embedder.embed(
      page.map(({ text }) => text),
      "document",
      signal,
    );
    const made = page.flatMap(({ digest }, at) => {
      const vector = vectors[at];
      return vector ? [{ digest, vector }] : [];
    });
    if (made.length > 0) await collection.put(made);
    this.#end.embedded += made.length;
    if (made.length > 0) this.#waits = 0;
    if (!problem) return undefined;
    if (problem.kind === "badAnswer") {
      const without = page.filter((_, at) => vectors[at] === null).map(({ digest }) => digest);
      return this.#afterBadAnswer(without, problem);
    }
    if (problem.kind === "rateLimit" || problem.kind === "network") return this.#wait(problem);
    return problem;
  }

  /** Texts without a vector are given up if the model works otherwise. */
  async #afterBadAnswer(digests: string[], problem: EmbeddingProblem): Promise<EmbeddingProblem | undefined> {
    const { embedder, collection, signal } = this.#options;
    const probe = await embedder.embed([PROBE], "document", signal);
    if (!probe.vectors[0]) return probe.problem ?? problem;
    if (digests.length === 0) return this.#wait(problem);
    await collection.giveUp(digests);
    this.#end.givenUp += digests.length;
    return undefined;
  }

  async #wait(problem: EmbeddingProblem): Promise<EmbeddingProblem | undefined> {
    const { clock, signal } = this.#options;
    if (this.#waits >= MAX_WAITS) return problem;
    const ms = problem.retryAfterMs ?? Math.min(FIRST_WAIT_MS * 2 ** this.#waits, MAX_WAIT_MS);
    this.#waits += 1;
    await this.#report({ ms, problem });
    await clock.sleep(ms, signal);
    return undefined;
  }

  async #report(waiting?: EmbedProgress["waiting"]): Promise<void> {
    const { clock, onProgress } = this.#options;
    const { done, total } = await this.#count();
    const seconds = (clock.monotonicMs() - this.#startedMs) / 1_000;
    const perSecond = seconds > 0 ? this.#end.embedded / seconds : 0;
    onProgress({ done, total, perSecond, ...(waiting && { waiting }) });
  }

  /** The texts that are done, out of all: counted now and then, and added up in between. */
  async #count(): Promise<{ done: number; total: number }> {
    const settled = this.#end.embedded + this.#end.givenUp;
    if (!this.#counted || this.#counted.pages >= PAGES_A_COUNT) {
      const { done, total } = await this.#options.collection.progress();
      this.#counted = { before: done - settled, total, pages: 0 };
    }
    const { before, total } = this.#counted;
    this.#counted.pages += 1;
    return { done: Math.min(before + settled, total), total };
  }
}
