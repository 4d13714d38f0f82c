import type { Turn } from "../turn/turn.ts";
import { compactionPlan } from "./compaction-plan.ts";

/** Has the conversation compacted before the next request, at the model's request; or says why not. */
export function askForCompaction(turn: Turn, focus: string | undefined): { refused: string } | undefined {
  const { scope, agent, choice } = turn;
  if (!scope.settings.values.auto_compact_enabled) {
    return { refused: "The person has turned off automatic compaction. Ask them to type /compact." };
  }
  const contextWindow = choice?.contextWindow.tokens ?? 0;
  if (compactionPlan({ scope, agent, contextWindow, reason: "auto" }) === undefined) {
    return { refused: "There is nothing to summarise yet: the latest exchanges are kept as they are." };
  }
  turn.askForCompaction(focus);
  return undefined;
}
