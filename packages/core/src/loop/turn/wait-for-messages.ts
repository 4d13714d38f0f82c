import { hasMessages } from "./drain-inbox.ts";
import { wakeAgents } from "./scope.ts";
import type { Turn } from "./turn.ts";

/** Waits, shown as such, until a message arrives for the agent, no subagent works for its turn, or it is cancelled. */
export async function waitForMessages(turn: Turn): Promise<void> {
  turn.record({ sessionUpdate: "state_update", state: "waiting" });
  // A subagent that waits for an answer of this agent may now wait in vain.
  wakeAgents(turn.scope);
  while (!hasMessages(turn) && turn.agent.awaited.length > 0 && !turn.signal.aborted) {
    await turn.agent.inbox.arrival(turn.signal);
  }
  if (!turn.signal.aborted) turn.record({ sessionUpdate: "state_update", state: "running" });
}
