import type { Delivery, DeltaOutcome, SessionConfig, SessionUpdate } from "@harness/protocol";

export type SessionEvents = {
  /** `state` has the update: in order, each fact once. Replayed facts are not reported. */
  onUpdate?(update: SessionUpdate, applied: Exclude<DeltaOutcome, "gap">): void;
  /** The facts that were missing after a gap or a restart are there. */
  onCaughtUp?(): void;
  /** They could not be fetched. */
  onProblem?(error: unknown): void;
  /** It is no longer followed, after `leave`. */
  onLeft?(): void;
};

/** `replay`: whether `state` gets the facts so far. `isWanted`: it is to go on in this folder where its own is gone. */
export type ResumeOptions = { config?: SessionConfig; replay?: "all" | "none"; isWanted?: boolean };

/** `agentId`: a subagent that the message is for. */
export type PromptOptions = { delivery?: Delivery; promptId?: string; agentId?: string };
