import type { EmbeddingProblem } from "@harness/core";
import type { RawVectors, VectorFailure, VectorRequest, VectorSource } from "./vector-source.ts";

/** The vectors of a few texts, or a sentence that says why there are none. */
type ProgramVectors =
  | { ok: true; vectors: readonly unknown[] }
  | { ok: false; kind: EmbeddingProblem["kind"]; message: string };

/** An embedding model that harness runs itself, in a process of its own. */
export interface EmbeddingProgram {
  /** The id of the model, by which its row is found. */
  readonly model: string;
  /** For sentences. */
  readonly shown: string;
  readonly dimensions: number;
  /** The longest input in tokens. */
  readonly maxTokens: number;
  embed(texts: readonly string[], signal: AbortSignal): Promise<ProgramVectors>;
}

/** One text after the other is computed; small batches let a question in between. */
const BATCH = { texts: 8, tokens: 4_096 };

/** The embeddings of a program on this machine. Its failures are permanent, but its process may end once. */
export class ProgramVectorSource implements VectorSource {
  readonly batch = BATCH;
  readonly retries = 1;
  readonly #program: EmbeddingProgram;

  constructor(program: EmbeddingProgram) {
    this.#program = program;
  }

  get shown(): string {
    return this.#program.shown;
  }

  async request({ texts, signal }: VectorRequest): Promise<RawVectors | VectorFailure> {
    const answer = await this.#program.embed(texts, signal);
    if (answer.ok) return { type: "vectors", vectors: answer.vectors };
    const { kind, message } = answer;
    return { type: "failed", problem: { kind, message }, isRetryable: kind === "network" };
  }
}
