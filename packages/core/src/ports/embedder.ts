/** Most models are trained to prepare the texts that are searched and the question differently. */
export type EmbeddingPurpose = "document" | "query";

export type EmbeddingProblem = {
  /**
   * `network`: a later attempt may succeed; `badAnswer`: vectors that cannot be used; `gone`: the model, its server or
   * its runtime is not there, so the user must do something first; `stopped`: the signal aborted.
   */
  kind: "auth" | "rateLimit" | "network" | "badAnswer" | "gone" | "stopped";
  /** Sentences for people: what happened, where, and what to do. */
  message: string;
  /** How long the server asks to wait. */
  retryAfterMs?: number;
};

/**
 * `vectors` is as long as the list of texts, in its order. Null: the model has no usable vector for the text; undefined:
 * the problem came before. Those that came are there, so that nothing is asked for twice.
 */
export type EmbeddingAnswer = {
  vectors: readonly (Float32Array | null | undefined)[];
  problem?: EmbeddingProblem;
};

/** A model that turns texts into vectors whose angle says how close their meanings are. */
export interface Embedder {
  /** As the setting names it, such as `ollama/nomic-embed-text`. */
  readonly name: string;
  /**
   * Model, dimensions and preparation of the texts. Vectors may be compared only if their keys are equal: another key
   * needs a new collection.
   */
  readonly key: string;
  readonly dimensions: number;
  /** The longest input in tokens; the rest of a longer text is not considered. */
  readonly maxTokens: number;
  /** The address that the texts are sent to; absent: they stay on this machine or in a private network. */
  readonly leavesTo?: string;
  /**
   * Vectors of length 1. Texts are sent in batches, one request at a time, and temporary failures are retried. Never
   * rejects.
   */
  embed(texts: readonly string[], purpose: EmbeddingPurpose, signal: AbortSignal): Promise<EmbeddingAnswer>;
}

/** The embedder that a setting names, or a sentence that says what is missing. */
export type EmbedderResult = { ok: true; embedder: Embedder } | { ok: false; problem: string };
