import type { AgentState, AgentWorktree, Cost } from "@harness/protocol";
import { overlayState } from "../../state/overlay-state.ts";

/** An agent of the session in the tree; texts are untrusted. */
export type AgentLine = {
  readonly agentId: string;
  /** From its definition. */
  readonly name: string | undefined;
  readonly task: string;
  readonly state: AgentState["state"] | NonNullable<AgentState["run"]>;
  readonly canStop: boolean;
  /** True if it continues when the turn that started it ends. */
  readonly background: boolean;
  /** Its current activity, or its result. */
  readonly doing: string;
  /** The changes in its own worktree. */
  readonly worktree: Pick<AgentWorktree, "files" | "added" | "removed" | "state"> | undefined;
  readonly startedAt: string | undefined;
  readonly endedAt: string | undefined;
  readonly unread: number;
  /** Sum over all its requests. */
  readonly tokens: number;
  readonly cost: Cost;
  /** The lines that connect it to its parent, and those before the agents below it. */
  readonly branch: string;
  readonly stem: string;
};

/** The effect on an agent of pressing its key a second time. */
export type AskedOfAgent = { readonly agentId: string; readonly what: "stop" | "apply" | "drop" };

/** The session's agents at `nowMs`. `message`: the outcome of the last key. */
export type AgentTree = {
  readonly kind: "agents";
  readonly lines: readonly AgentLine[];
  /** The agent that is marked. */
  readonly marked: string;
  readonly question: AskedOfAgent | undefined;
  readonly message: string | undefined;
  readonly nowMs: number;
};

export const agentTree = overlayState<AgentTree>("agents");
