import type { DigestVector, MissingText, VectorCollection } from "../embed/vector-collection.ts";
import type { VectorStepName, VectorSteps } from "./process/messages.ts";

export type VectorStepCall = {
  [Name in VectorStepName]: { step: Name; ask: VectorSteps[Name]["ask"] };
}[VectorStepName];

/** The collection of vectors that a pass fills, in the process that writes the index. Rejects with sentences. */
export class VectorWriter implements VectorCollection {
  readonly #call: (call: VectorStepCall) => Promise<unknown>;

  constructor(call: (call: VectorStepCall) => Promise<unknown>) {
    this.#call = call;
  }

  open(): Promise<void> {
    return this.#ask("open", {});
  }

  missing(limit: number): Promise<MissingText[]> {
    return this.#ask("missing", { limit });
  }

  put(vectors: readonly DigestVector[]): Promise<void> {
    return this.#ask("put", { vectors });
  }

  giveUp(digests: readonly string[]): Promise<void> {
    return this.#ask("giveUp", { digests });
  }

  progress(): Promise<{ done: number; total: number }> {
    return this.#ask("progress", {});
  }

  /** From now on the vectors of this embedder are searched, and those of others are gone. */
  adopt(): Promise<void> {
    return this.#ask("adopt", {});
  }

  close(): Promise<void> {
    return this.#ask("close", {});
  }

  #ask<Name extends VectorStepName>(step: Name, ask: VectorSteps[Name]["ask"]): Promise<VectorSteps[Name]["answer"]> {
    return this.#call({ step, ask } as VectorStepCall) as Promise<VectorSteps[Name]["answer"]>;
  }
}
