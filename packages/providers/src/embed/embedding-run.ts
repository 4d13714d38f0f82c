import type { EmbeddingProblem } from "@harness/core";
import type { EndpointQueue } from "../wires/queue/endpoint-queue.ts";
import type { Ports } from "../wires/wire-api.ts";
import { batchesOf, bothHalves } from "./embedding-batches.ts";
import { checkedVector } from "./vector-checks.ts";
import type { RawVectors, VectorFailure, VectorRequest, VectorSource } from "./vector-source.ts";

const BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 8_000;
/** If a server asks for a longer wait, the caller decides. */
const MAX_WAIT_MS = 60_000;
const LOADING_WAIT_MS = 2_000;
/** A question is waited for. */
const QUERY_RETRIES = 1;
/** A text is not cut below this many characters. */
const MIN_TEXT = 200;
/** This many unusable answers in a row come from the model, not from single texts. */
const MAX_UNUSABLE = 8;

type EmbeddingRunOptions = {
  /** As they are sent. */
  texts: string[];
  request: Omit<VectorRequest, "texts">;
  source: VectorSource;
  ports: Ports;
  dimensions: number;
  /** Shared by all runs: becomes smaller when the source refuses a batch. */
  batch: { texts: number; tokens: number };
  queue: EndpointQueue;
};

type Outcome = { problem: EmbeddingProblem } | undefined;

/** The vectors for one list of texts. */
export class EmbeddingRun {
  readonly vectors: (Float32Array | null | undefined)[];
  readonly #options: EmbeddingRunOptions;
  /** Unusable answers since the last usable one. */
  #unusable = 0;
  #left: string | undefined;
  #leftCount = 0;

  constructor(options: EmbeddingRunOptions) {
    this.#options = options;
    this.vectors = options.texts.map(() => undefined);
  }

  /** Fills `vectors`, as far as possible. */
  async fill(): Promise<EmbeddingProblem | undefined> {
    const { texts, batch } = this.#options;
    for (const positions of batchesOf(texts, batch)) {
      const outcome = await this.#fillBatch(positions);
      if (outcome) return outcome.problem;
    }
    if (this.#left === undefined) return undefined;
    const has = this.#leftCount === 1 ? "has" : "have";
    const message = `${this.#leftCount} of ${texts.length} texts ${has} no vector. ${this.#left}`;
    return { kind: "badAnswer", message };
  }

  async #fillBatch(positions: number[]): Promise<Outcome> {
    const { texts, batch } = this.#options;
    // Another batch may have shown that fewer texts are accepted.
    if (positions.length > batch.texts) return this.#fillHalves(positions);
    const answer = await this.#ask(positions.map((at) => texts[at] ?? ""));
    if (answer.type === "failed") return { problem: answer.problem };
    if (answer.type === "vectors") return this.#take(positions, answer);
    if (answer.type === "tooLarge") return this.#afterTooLarge(positions, answer.message);
    this.#unusable += 1;
    if (this.#unusable >= MAX_UNUSABLE) return { problem: { kind: "badAnswer", message: answer.message } };
    if (positions.length > 1) return this.#fillHalves(positions);
    this.#leave(positions, answer.message);
    return undefined;
  }

  async #fillHalves(positions: number[]): Promise<Outcome> {
    for (const half of bothHalves(positions)) {
      const outcome = await this.#fillBatch(half);
      if (outcome) return outcome;
    }
    return undefined;
  }

  async #afterTooLarge(positions: number[], message: string): Promise<Outcome> {
    const { texts, batch } = this.#options;
    const [at, ...more] = positions;
    if (at === undefined) return undefined;
    if (more.length > 0) {
      batch.texts = Math.min(batch.texts, Math.ceil(positions.length / 2));
      return this.#fillHalves(positions);
    }
    const text = texts[at] ?? "";
    if (text.length > MIN_TEXT) {
      texts[at] = text.slice(0, Math.max(MIN_TEXT, Math.floor(text.length / 2))).toWellFormed();
      return this.#fillBatch(positions);
    }
    this.#leave(positions, message);
    return undefined;
  }

  #take(positions: number[], { vectors }: RawVectors): Outcome {
    const { source, dimensions } = this.#options;
    for (const [index, at] of positions.entries()) {
      const checked = checkedVector(vectors[index], dimensions);
      if (checked.ok) {
        this.vectors[at] = checked.vector;
        this.#unusable = 0;
        continue;
      }
      const message = `A vector of ${source.shown} ${checked.fault}.`;
      if (checked.dimensions !== undefined) {
        const advice =
          "The model there is another one than before: name it in the setting `embedder`, so that a new collection is built.";
        return { problem: { kind: "badAnswer", message: `${message} ${advice}` } };
      }
      this.#unusable += 1;
      if (this.#unusable >= MAX_UNUSABLE) return { problem: { kind: "badAnswer", message } };
      this.#leave([at], message);
    }
    return undefined;
  }

  #leave(positions: readonly number[], message: string): void {
    for (const at of positions) this.vectors[at] = null;
    this.#left ??= message;
    this.#leftCount += 1;
  }

  /** One request, repeated while its failure may be temporary. */
  async #ask(texts: string[]): Promise<RawVectors | VectorFailure> {
    const { source, ports, request } = this.#options;
    const { clock } = ports;
    const { signal, isQuery } = request;
    const retries = isQuery ? Math.min(QUERY_RETRIES, source.retries) : source.retries;
    const startedMs = clock.monotonicMs();
    let tries = 0;
    for (;;) {
      const answer = await this.#request(texts);
      if (answer.type === "vectors" || answer.type === "tooLarge" || signal.aborted) return answer;
      const waitMs = this.#waitAfter(answer, { tries, retries, passedMs: clock.monotonicMs() - startedMs });
      if (waitMs === undefined) return answer.type === "failed" && tries > 0 ? afterTries(answer, tries + 1) : answer;
      if (answer.type !== "failed" || answer.loadingMs === undefined) tries += 1;
      await clock.sleep(waitMs, signal);
    }
  }

  async #request(texts: string[]): Promise<RawVectors | VectorFailure> {
    const { source, queue, request } = this.#options;
    const { isQuery, signal } = request;
    const ticket = queue.enter({ priority: isQuery ? "turn" : "background" });
    try {
      while (ticket.slot === undefined && !signal.aborted) await ticket.changed(signal);
      return await source.request({ ...request, texts });
    } finally {
      ticket.leave();
    }
  }

  /** Undefined: it has failed. */
  #waitAfter(
    failed: Exclude<VectorFailure, { type: "tooLarge" }>,
    { tries, retries, passedMs }: { tries: number; retries: number; passedMs: number },
  ): number | undefined {
    if (failed.type === "failed" && failed.loadingMs !== undefined) {
      return passedMs < failed.loadingMs ? LOADING_WAIT_MS : undefined;
    }
    // An answer that was cut once may be so each time: then a smaller one may help.
    const allowed = failed.type === "unusable" ? Math.min(1, retries) : retries;
    if (!failed.isRetryable || tries >= allowed) return undefined;
    const ceiling = Math.min(BACKOFF_MS * 2 ** tries, MAX_BACKOFF_MS);
    const askedMs = failed.type === "failed" ? (failed.problem.retryAfterMs ?? 0) : 0;
    if (askedMs > MAX_WAIT_MS) return undefined;
    return Math.max(Math.round(this.#options.ports.random() * ceiling), askedMs);
  }
}

function afterTries(answer: Extract<VectorFailure, { type: "failed" }>, tries: number): VectorFailure {
  const { problem } = answer;
  return { ...answer, problem: { ...problem, message: `${problem.message} Tried ${tries} times.` } };
}
