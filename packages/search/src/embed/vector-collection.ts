/** A text that needs a vector. `digest`: SHA-256 of the text, in hex; chunks with equal texts share a vector. */
export type MissingText = { digest: string; text: string };

export type DigestVector = { digest: string; vector: Float32Array };

/**
 * The vectors that one embedder made for an index, kept apart from those of another by its key. Methods reject with a
 * sentence for people.
 */
export interface VectorCollection {
  /** Texts of the index that have no vector and were not given up, each once, in a lasting order. */
  missing(limit: number): Promise<MissingText[]>;
  /** Stored when it resolves. A digest that has left the index may be ignored. */
  put(vectors: readonly DigestVector[]): Promise<void>;
  /** Texts that the model has no vector for: they are no longer missing. */
  giveUp(digests: readonly string[]): Promise<void>;
  /** Texts of the index with a vector or given up, and all. */
  progress(): Promise<{ done: number; total: number }>;
}

/** `name`: as the setting names it; its vectors may be compared with those of an equal `key`. */
export type EmbedderIdentity = { name: string; key: string };

/** The collections of an index, one for each embedder that it had. */
export interface VectorStore {
  /** Made if it is new; `nearest` does not search it before it is adopted. */
  collection(embedder: EmbedderIdentity & { dimensions: number }): Promise<VectorCollection>;
  /** From now on `nearest` searches the collection of this embedder; the others are removed. */
  adopt(key: string): Promise<void>;
  /** The embedder whose vectors are searched. */
  adopted(): Promise<EmbedderIdentity | undefined>;
}
