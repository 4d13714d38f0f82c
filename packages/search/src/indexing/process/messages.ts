import type { DigestVector, EmbedderIdentity, MissingText } from "../../embed/vector-collection.ts";
import type { IndexLocation, IndexStoreLocation } from "../../store/stores.ts";
import type { UpdateOutcome, UpdateProgress } from "../index-update.ts";

/**
 * `paths`: relative to the folder; with `isWhole` it has no other files. `gitEnv`: the complete environment of git.
 */
export type UpdateOrder = IndexLocation & {
  gitEnv: Readonly<Record<string, string>>;
  paths: readonly string[];
  isWhole: boolean;
};

/** The index whose vectors are made, and the embedder that makes them. */
export type VectorTarget = IndexStoreLocation & { embedder: EmbedderIdentity & { dimensions: number } };

/** The steps of making vectors, by name: those of a `VectorCollection`, between `open` and `close`. */
export type VectorSteps = {
  open: { ask: object; answer: undefined };
  missing: { ask: { limit: number }; answer: MissingText[] };
  put: { ask: { vectors: readonly DigestVector[] }; answer: undefined };
  giveUp: { ask: { digests: readonly string[] }; answer: undefined };
  progress: { ask: object; answer: { done: number; total: number } };
  adopt: { ask: object; answer: undefined };
  close: { ask: object; answer: undefined };
};
export type VectorStepName = keyof VectorSteps;

export type VectorCommand = VectorTarget &
  {
    [Name in VectorStepName]: { step: Name; ask: VectorSteps[Name]["ask"] };
  }[VectorStepName];

/** To the process. Updates run one after the other; steps of vectors between them. */
export type IndexCommand =
  | ({ type: "update"; id: number } & UpdateOrder)
  | ({ type: "vectors"; id: number } & VectorCommand)
  | ({ type: "remove"; id: number } & IndexLocation)
  | { type: "cancel"; id: number }
  | { type: "pause"; isPaused: boolean };

/** From it. `failed`: `problem` is a sentence. */
export type IndexerReport =
  | ({ type: "progress"; id: number } & UpdateProgress)
  | ({ type: "done"; id: number } & UpdateOutcome)
  | { type: "answer"; id: number; answer: unknown }
  | { type: "failed"; id: number; problem: string };
