import { ROOT_AGENT } from "@harness/protocol";
import type { Agent } from "../loop/turn/agent.ts";
import type { Scope } from "../loop/turn/scope.ts";
import type { ContextView } from "../ports/live-session.ts";

/** How full the context window of the root agent is; undefined before a model was chosen. */
export function contextView({ requests: { models }, journal: { state } }: Scope, root: Agent): ContextView | undefined {
  const window = models.current?.contextWindow;
  if (!window) return undefined;
  const { usedTokens, truncated } = root;
  const prefix = state.agents.get(ROOT_AGENT)?.prefix;
  return {
    usedTokens,
    windowTokens: window.tokens,
    windowSource: window.source,
    cost: state.cost,
    ...(prefix ? { prefix } : {}),
    ...(truncated ? { truncated } : {}),
  };
}
