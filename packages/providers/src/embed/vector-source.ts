import type { EmbeddingProblem } from "@harness/core";

/** A request for the vectors of a few texts, as they are. */
export type VectorRequest = { texts: readonly string[]; isQuery: boolean; signal: AbortSignal };

/**
 * `tooLarge`: it may work with fewer or shorter texts; `unusable`: there is an answer, but not one vector for each text.
 * `loading`: the same request is repeated until `loadingMs` have passed.
 */
export type VectorFailure =
  | { type: "tooLarge"; message: string }
  | { type: "unusable"; message: string; isRetryable?: true }
  | { type: "failed"; problem: EmbeddingProblem; isRetryable: boolean; loadingMs?: number };

/** One vector for each text, of any content. */
export type RawVectors = { type: "vectors"; vectors: readonly unknown[] };

/** A server or a program that runs an embedding model. */
export interface VectorSource {
  /** For sentences, such as "nomic-embed-text of Ollama at http://127.0.0.1:11434". */
  readonly shown: string;
  /** The most texts and tokens of one request, until the source refuses that many. */
  readonly batch: { texts: number; tokens: number };
  /** How often a failed request is sent again. */
  readonly retries: number;
  /** One request, in the queue of its endpoint. Never rejects. */
  request(request: VectorRequest): Promise<RawVectors | VectorFailure>;
}
