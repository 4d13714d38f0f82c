import type { Delivery, DeltaOutcome, SessionConfig, SessionUpdate } from "@harness/protocol";

export type SessionEvents = {
  /** Called once `state` includes the update: in order, each fact once. Replayed facts are not reported. */
  onUpdate?(update: SessionUpdate, applied: Exclude<DeltaOutcome, "gap">): void;
  /** The facts that were missing after a gap or a restart have arrived. */
  onCaughtUp?(): void;
  /** The missing facts could not be fetched. */
  onProblem?(error: unknown): void;
  /** It is no longer followed, after `leave`. */
  onLeft?(): void;
};

/** `worktree`: a fork that works in a git worktree of its own. */
export type ForkWish = boolean | "worktree";

export type ResumeOptions = {
  config?: SessionConfig;
  /** Whether `state` gets the facts so far. */
  replay?: "start" | "none";
  /** Continue in this folder if its own no longer exists. */
  isWanted?: boolean;
  /** Leave that session as it is, and open a fork of it. */
  fork?: ForkWish | undefined;
  /**
   * Called if the last messages of a long session are there before the rest: until it is open, `state` has only them, and
   * calls wait.
   */
  onTail?(): void;
};

/**
 * `agentId`: a subagent that the message is for. `allowOutside`: the user has confirmed that they mean the mentioned
 * files outside the workspace. `traceparent`: the W3C trace context that the turn belongs to.
 */
export type PromptOptions = {
  delivery?: Delivery;
  promptId?: string;
  agentId?: string;
  allowOutside?: boolean;
  traceparent?: string;
};
