import type { CallContext } from "../../loop/calls/run-call.ts";
import type { Scope } from "../../loop/turn/scope.ts";
import type { ChangesAccess } from "../../tools/agent-changes.ts";
import { changedBlocks, changesAction, lookAtChanges, openWorktree } from "./worktree-changes.ts";

/** The worktrees of a session's subagents, for the tool that applies and drops their changes. */
export function changesAccess(scope: Scope): ChangesAccess<CallContext> {
  const problemFor = (agentId: string, { caller: { turn } }: CallContext): string | undefined => {
    const opened = openWorktree(scope, agentId);
    if ("problem" in opened) return opened.problem;
    if (opened.child.parentAgentId === turn.agent.agentId) return undefined;
    return "Only the agent that started a subagent can apply or drop its changes.";
  };
  return {
    async look(agentId, context) {
      const problem = problemFor(agentId, context);
      return problem === undefined ? await lookAtChanges(scope, agentId, "agent") : { problem };
    },
    blocks: (agentId, seen) => changedBlocks(scope, agentId, seen),
    async act(agentId, order, context) {
      const problem = problemFor(agentId, context);
      const { done, text } = problem ? { done: false, text: problem } : await changesAction(scope, agentId, order);
      return { status: done ? "ok" : "error", text, blocks: [{ type: "text", text }] };
    },
  };
}
