import { estimateTokens } from "../context/tokens/estimate-tokens.ts";
import type { Turn } from "../loop/turn/turn.ts";
import type { ModelChoice } from "../ports/provider.ts";

/** Why the agent of this turn may start no further subagent; undefined if it may. */
export function startRefusal({ agent: { depth, children, budget }, scope }: Turn): string | undefined {
  const { maxDepth, maxAtOnce } = scope.settings.values.agentLimits;
  if (depth >= maxDepth) return `Subagents can be nested at most ${maxDepth} deep. Do the task yourself.`;
  if (children.size >= maxAtOnce) {
    const running = maxAtOnce === 1 ? "1 subagent is" : `${maxAtOnce} subagents are`;
    return `${running} already running. Wait for one to end, or do the task yourself.`;
  }
  const { exhausted } = budget;
  if (exhausted !== undefined) return `You ${exhausted}: no more subagents can be started.`;
  return scope.startLimit.refusal(scope.settings.values.agentLimits);
}

/** The task is the child's first message and stays in all its requests, so it must leave room for the work. */
export function taskRefusal(choice: ModelChoice | undefined, task: string): string | undefined {
  const most = Math.floor((choice?.contextWindow.tokens ?? 8_192) / 4);
  const tokens = estimateTokens(task.length);
  if (tokens <= most) return undefined;
  return `The task is about ${tokens} tokens long; the limit for a subagent is ${most}, a quarter of its context window. Put the details in a file and name it, or split the task.`;
}
