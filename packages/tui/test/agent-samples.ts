import type { Permission, StoredFact } from "@harness/protocol";

type SubagentUpdate = Extract<StoredFact["update"], { sessionUpdate: "subagent_update" }>;

/** The record of a running subagent in its parent's log; `more`: fields to add or replace. */
export function subagent(childAgentId: string, task: string, more: Partial<SubagentUpdate> = {}): SubagentUpdate {
  return { sessionUpdate: "subagent_update", childAgentId, task, state: "running", ...more };
}

/** The changes of a subagent in its worktree. */
export function worktreeIn(state: "open" | "applied"): NonNullable<SubagentUpdate["worktree"]> {
  return { worktreeId: "w1", path: "/w", branch: "b", base: "b", files: 3, added: 12, removed: 4, state };
}

/** A question about a command that this agent wants to run. */
export function questionOf(agentId: string): Permission {
  return {
    permissionId: "p1",
    agentId,
    toolCallId: "c1",
    tool: "bash",
    title: "bash make",
    reason: "runs a command",
    risk: "medium",
    effects: [],
    preview: [],
    options: [{ optionId: "no", name: "Deny", kind: "reject_once" }],
  };
}
