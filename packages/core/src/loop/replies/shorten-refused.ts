import { halveTexts } from "../budget/fit-unanswered.ts";
import { forceShrink } from "../budget/shrink-results.ts";
import { compactAgent } from "../compaction/compact-agent.ts";
import type { Turn } from "../turn/turn.ts";

/** If a step leaves more than this share of the conversation, the next step follows. */
const ENOUGH = 0.8;

/**
 * Shortens the conversation after the provider refused a request as too long: by a summary, then by cutting results and
 * texts, then down to the last exchange. Returns false if it is as long as before. `isFirst`: if a summary was refused
 * as well, no second one is tried.
 */
export async function shortenRefused(
  turn: Turn,
  messageId: string,
  { isFirst }: { isFirst: boolean },
): Promise<boolean> {
  const { scope, agent, signal, choice } = turn;
  if (!choice) return false;
  turn.delta({ sessionUpdate: "request_status", messageId, phase: "ended" });
  const order = { scope, agent, contextWindow: choice.contextWindow.tokens, turnId: turn.turnId };
  const compact = async (more: { keepsLast?: true }) => {
    const request = { reason: "overflow", signal, turn, mayTruncate: true, ...more } as const;
    const compacted = await compactAgent(scope, agent, choice, request);
    return !("problem" in compacted);
  };
  const steps: (() => boolean | Promise<boolean>)[] = [
    ...(isFirst ? [() => compact({})] : []),
    () => forceShrink(order, "overflow"),
    () => halveTexts(order),
    () => compact({ keepsLast: true }),
  ];
  const refused = agent.projection.chars;
  for (const step of steps) {
    const isDone = await step();
    if (signal.aborted) return false;
    if (isDone && agent.projection.chars <= refused * ENOUGH) return true;
  }
  return agent.projection.chars < refused;
}
