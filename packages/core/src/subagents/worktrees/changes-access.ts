import type { CallContext } from "../../loop/calls/run-call.ts";
import type { Scope } from "../../loop/turn/scope.ts";
import type { ChangesAccess } from "../../tools/agent-changes.ts";
import { changedBlocks, changesAction, openWorktree } from "./worktree-changes.ts";

/** The worktrees of a session's subagents, for the tool that applies and drops what was changed in them. */
export function changesAccess(scope: Scope): ChangesAccess<CallContext> {
  return {
    paths: (agentId) => {
      const opened = openWorktree(scope, agentId);
      const { cwd } = scope.ports.log.header;
      if ("problem" in opened) return [];
      return (opened.worktree.changes ?? []).map(({ path }) => (path.startsWith("/") ? path : `${cwd}/${path}`));
    },
    blocks: (agentId) => changedBlocks(scope, agentId),
    async act(agentId, action, { caller: { turn } }) {
      const opened = openWorktree(scope, agentId);
      const problem = "problem" in opened ? opened.problem : refusal(opened.child.parentAgentId, turn.agent.agentId);
      const { done, text } = problem ? { done: false, text: problem } : await changesAction(scope, agentId, action);
      return { status: done ? "ok" : "error", text, blocks: [{ type: "text", text }] };
    },
  };
}

function refusal(parentId: string | undefined, agentId: string): string | undefined {
  return parentId === agentId ? undefined : "Only the agent that started a subagent can apply or drop its changes.";
}
