import type { Scope } from "../loop/turn/scope.ts";

/**
 * True if this agent could still do something while those in `waiting` do nothing. Agents that wait for each other in a
 * circle could not, and would wait forever.
 */
export function canGoOn(scope: Scope, agentId: string, waiting: ReadonlySet<string>): boolean {
  const agent = scope.agents.get(agentId);
  if (!agent?.turn || agent.turn.signal.aborted) return false;
  const awaited = [...agent.children].flatMap(([id, { isAwaited }]) => (isAwaited ? [id] : []));
  // A call that waits for the end of a subagent receives no messages meanwhile.
  if (awaited.length === 0 && agent.inbox.queued.length > 0) return true;
  const isWaiting = scope.journal.state.agents.get(agentId)?.state === "waiting";
  const waitsFor = agent.waitsFor ?? (isWaiting ? [...agent.children.keys()] : awaited);
  if (waitsFor.length === 0) return true;
  const seen = new Set([...waiting, agentId]);
  return waitsFor.some((next) => !seen.has(next) && canGoOn(scope, next, seen));
}
