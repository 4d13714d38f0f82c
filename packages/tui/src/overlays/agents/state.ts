import type { AgentState, AgentWorktree, Cost } from "@harness/protocol";
import { overlayState } from "../../state/overlay-state.ts";

/** An agent of the session as its tree shows it; texts are untrusted. */
export type AgentLine = {
  readonly agentId: string;
  /** Of its definition. */
  readonly name: string | undefined;
  readonly task: string;
  readonly state: AgentState["state"] | NonNullable<AgentState["run"]>;
  readonly canStop: boolean;
  /** It goes on when the turn that started it ends. */
  readonly background: boolean;
  /** What it does, or what it has returned. */
  readonly doing: string;
  /** What it has changed in a worktree of its own. */
  readonly worktree: Pick<AgentWorktree, "files" | "added" | "removed" | "state"> | undefined;
  readonly startedAt: string | undefined;
  readonly endedAt: string | undefined;
  readonly unread: number;
  /** Of all its requests. */
  readonly tokens: number;
  readonly cost: Cost;
  /** What joins it to its parent, and what stands before the agents below it. */
  readonly branch: string;
  readonly stem: string;
};

/** What a second press of its key does to an agent. */
export type AskedOfAgent = { readonly agentId: string; readonly what: "stop" | "apply" | "drop" };

/** The session's agents as they were at `nowMs`. `said`: what came of the last key. */
export type AgentTree = {
  readonly kind: "agents";
  readonly lines: readonly AgentLine[];
  /** The agent that is marked. */
  readonly marked: string;
  readonly asked: AskedOfAgent | undefined;
  readonly said: string | undefined;
  readonly nowMs: number;
};

export const agentTree = overlayState<AgentTree>("agents");
