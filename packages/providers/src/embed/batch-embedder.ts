import { createHash } from "node:crypto";
import type { Clock, Embedder, EmbeddingAnswer, EmbeddingProblem, EmbeddingPurpose } from "@harness/core";
import { EndpointQueue } from "../wires/queue/endpoint-queue.ts";
import { preparedText } from "./embedding-batches.ts";
import type { ModelPreparation } from "./embedding-models.ts";
import { EmbeddingRun } from "./embedding-run.ts";
import type { VectorSource } from "./vector-source.ts";

export type BatchEmbedderOptions = {
  name: string;
  source: VectorSource;
  preparation: ModelPreparation & { dimensions: number };
  clock: Clock;
  /** Jitter of retries, from 0 up to 1. */
  random?: () => number;
  leavesTo?: string | undefined;
};

/** An embedder on any source: prepares the texts, divides them into batches, and sends one request at a time. */
export class BatchEmbedder implements Embedder {
  readonly name: string;
  readonly key: string;
  readonly dimensions: number;
  readonly maxTokens: number;
  readonly leavesTo?: string;
  readonly #options: BatchEmbedderOptions;
  /** Questions go before the texts of an index, between two batches of theirs. */
  readonly #queue = new EndpointQueue(1);
  /** The size of a batch, as far as the source has accepted it. */
  readonly #batch: { texts: number; tokens: number };

  constructor(options: BatchEmbedderOptions) {
    const { name, preparation, source, leavesTo } = options;
    this.#options = options;
    this.name = name;
    this.key = keyOf(name, preparation);
    this.dimensions = preparation.dimensions;
    this.maxTokens = preparation.maxTokens;
    if (leavesTo !== undefined) this.leavesTo = leavesTo;
    this.#batch = { ...source.batch };
  }

  async embed(texts: readonly string[], purpose: EmbeddingPurpose, signal: AbortSignal): Promise<EmbeddingAnswer> {
    const { source, clock, random = Math.random, preparation } = this.#options;
    const prefix = preparation[purpose] ?? "";
    const run = new EmbeddingRun({
      texts: texts.map((text) => preparedText(text, prefix, preparation.maxTokens)),
      request: { isQuery: purpose === "query", signal },
      source,
      ports: { clock, random },
      dimensions: preparation.dimensions,
      batch: this.#batch,
      queue: this.#queue,
    });
    const problem = await run.fill();
    return { vectors: run.vectors, ...(problem && { problem }) };
  }
}

/** Asks for one vector, which shows how many dimensions a model has that no row knows. */
export async function askDimensions(
  source: VectorSource,
  signal: AbortSignal,
): Promise<{ ok: true; dimensions: number } | { ok: false; problem: EmbeddingProblem }> {
  const answer = await source.request({ texts: ["dimensions"], isQuery: true, signal });
  if (answer.type === "failed") return { ok: false, problem: answer.problem };
  if (answer.type !== "vectors") return { ok: false, problem: { kind: "badAnswer", message: answer.message } };
  const { checkedVector } = await import("./vector-checks.ts");
  const checked = checkedVector(answer.vectors[0], undefined);
  if (checked.ok) return { ok: true, dimensions: checked.vector.length };
  return { ok: false, problem: { kind: "badAnswer", message: `A vector of ${source.shown} ${checked.fault}.` } };
}

/** Other prefixes make other vectors. */
function keyOf(name: string, { dimensions, document, query }: ModelPreparation): string {
  const key = `${name}@${dimensions}`;
  if (document === undefined && query === undefined) return key;
  const prefixes = createHash("sha256")
    .update(JSON.stringify([document, query]))
    .digest("hex");
  return `${key}-${prefixes.slice(0, 6)}`;
}
