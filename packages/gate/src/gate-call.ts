import type { Block, Effect, Fact } from "@harness/protocol";
import type { RealPaths } from "./approval.ts";

/** `readOnly` changes nothing; `destructive` may; `signal` speaks to the loop itself (subagents, modes, questions). */
export type ToolCategory = "readOnly" | "destructive" | "signal";

/** The changes that a call would make; or the error it would end with as things are. `shown`: what people see of that. */
export type CallPreview = Block[] | PreviewProblem;
/** `isOfArgs`: it would fail wherever it runs, so that this says nothing about files. */
type PreviewProblem = { problem: string; shown?: string | undefined; isOfArgs?: boolean };

/** A call that stands at the gate. */
export type GateCall = {
  /** The agent that made the call. */
  agentId: string;
  category: ToolCategory;
  /** The area that it acts on; absent: the workspace. */
  area?: "web";
  toolCallId: string;
  tool: string;
  title: string;
  effects: Effect[];
  /** The model wrote it as text. */
  foundInText: boolean;
  /** Its writes are kept beside the workspace until a person has reviewed them, as in a separate worktree. */
  isStaged?: boolean;
  /** Why a hook has refused it already, as the end of a sentence about it; absent: none has. */
  refusal?: string;
  /** Must not throw; undefined = the gate shows what it knows. */
  preview(realPaths: RealPaths): Promise<CallPreview | undefined>;
};

/** The agent that asks to go through. */
export type Requester = {
  agentId: string;
  turnId: string;
  /** The folder that it works in, and that alone counts as the workspace for it; absent: the session's folders. */
  workspace?: string;
  /** Aborts when the call is no longer wanted. */
  signal: AbortSignal;
  record(update: Fact): void;
  /** Runs the question while the agent's state says that it waits for a person. */
  whileAsking<T>(ask: () => Promise<T>): Promise<T>;
};
