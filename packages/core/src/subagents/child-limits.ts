import { estimateTokens } from "../context/tokens/estimate-tokens.ts";
import type { Turn } from "../loop/turn/turn.ts";

const MAX_DEPTH = 4;
const MAX_CHILDREN = 8;

/** Why the agent of this turn may start no further subagent; undefined: it may. */
export function startRefusal({ agent: { depth, children } }: Turn): string | undefined {
  if (depth >= MAX_DEPTH) return `Subagents may be nested ${MAX_DEPTH} deep at most. Do the task yourself.`;
  if (children.size >= MAX_CHILDREN) {
    return `${MAX_CHILDREN} subagents are running already. Wait for one to end, or do the task yourself.`;
  }
  return undefined;
}

/** The task is the child's first message and stays in all its requests, so that it must leave room for the work. */
export function taskRefusal({ choice }: Turn, task: string): string | undefined {
  const most = Math.floor((choice?.contextWindow.tokens ?? 8_192) / 4);
  const tokens = estimateTokens(task.length);
  if (tokens <= most) return undefined;
  return `The task is about ${tokens} tokens long; a subagent takes ${most}, a quarter of its window. Put the facts in a file and name it, or split the task.`;
}
