/** Scores in the order of the texts, the higher the better; or a sentence for people. */
export type RerankAnswer = { scores: number[] } | { problem: string };

/** A model that reads a question together with each text, and says how well the text answers it. */
export interface Reranker {
  /** As the setting names it, such as `llamacpp/bge-reranker-v2-m3`. */
  readonly name: string;
  /** The address that questions and texts are sent to; absent: they stay on this machine or in a private network. */
  readonly leavesTo?: string;
  /** One request. Scores of one question may be compared. Never rejects. */
  score(question: string, texts: readonly string[], signal: AbortSignal): Promise<RerankAnswer>;
}

/** The reranker that a setting names, or a sentence that says what is missing. */
export type RerankerResult = { ok: true; reranker: Reranker } | { ok: false; problem: string };
