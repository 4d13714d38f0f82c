import { type Compacted, compactAgent } from "../loop/compaction/compact-agent.ts";
import type { Agent } from "../loop/turn/agent.ts";
import type { Scope } from "../loop/turn/scope.ts";

/** Compacts the agent's conversation because a person asks for it. Throws `LogWriteError`. */
export async function compactByHand(
  scope: Scope,
  agent: Agent,
  instructions: string | undefined,
  signal: AbortSignal,
): Promise<Compacted> {
  const { models, system } = scope.requests;
  const choice = await models.choose({ fresh: true });
  if ("problem" in choice) return choice;
  await agent.settle(choice, system);
  const focus = instructions?.trim() ? { focus: instructions } : {};
  return await compactAgent(scope, agent, choice, { reason: "manual", signal, ...focus });
}
