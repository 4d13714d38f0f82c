import type { Block, Effect, Fact } from "@harness/protocol";
import type { RealPaths } from "./approval.ts";

/** `readOnly` changes nothing; `destructive` may; `signal` addresses the loop itself (subagents, modes, questions). */
export type ToolCategory = "readOnly" | "destructive" | "signal";

/** The changes that a call would make, or the error that it would currently fail with. `shown`: the part for people. */
export type CallPreview = Block[] | PreviewProblem;
/** `isOfArgs`: it would fail wherever it runs, so the error says nothing about files. */
type PreviewProblem = { problem: string; shown?: string | undefined; isOfArgs?: boolean };

/** A call at the gate. */
export type GateCall = {
  /** The agent that made the call. */
  agentId: string;
  category: ToolCategory;
  /** The area it acts on; absent: the workspace. */
  area?: "web";
  toolCallId: string;
  tool: string;
  title: string;
  effects: Effect[];
  /** True if the model wrote it as plain text. */
  foundInText: boolean;
  /** True if its writes stay outside the workspace, as in a separate worktree, until the user has reviewed them. */
  isStaged?: boolean;
  /** Why a hook has already refused it, as the end of a sentence about the call; absent: none has. */
  refusal?: string;
  /** Must not throw; undefined: the gate shows what it knows. */
  preview(realPaths: RealPaths): Promise<CallPreview | undefined>;
};

/** The agent that makes the call. */
export type Requester = {
  agentId: string;
  turnId: string;
  /** The folder it works in, which alone is its workspace; absent: the session's folders. */
  workspace?: string;
  /** Aborts when the call is no longer wanted. */
  signal: AbortSignal;
  record(update: Fact): void;
  /** Runs the question while the agent's state says that it is waiting for the user. */
  whileAsking<T>(ask: () => Promise<T>): Promise<T>;
};
