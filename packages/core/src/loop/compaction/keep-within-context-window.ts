import { measurePressure, shrinkFrom, usableTokens } from "../../context/tokens/usable-tokens.ts";
import type { ModelChoice } from "../../ports/provider.ts";
import { announcePressure } from "../budget/announce-pressure.ts";
import { forceShrink, shrinkResults } from "../budget/shrink-results.ts";
import type { Turn } from "../turn/turn.ts";
import { compactAgent } from "./compact-agent.ts";

/**
 * Shortens old results when the context window gets full, summarises older messages if that is not enough, and notifies
 * the user once for each threshold.
 */
export async function keepWithinContextWindow(turn: Turn, choice: ModelChoice): Promise<void> {
  const { agent, scope, signal } = turn;
  const contextWindow = choice.contextWindow.tokens;
  const { compact_trigger: compactTrigger } = scope.settings.values;
  const shrinking = { scope, agent, contextWindow, turnId: turn.turnId };
  const mayShrink =
    scope.settings.values.auto_compact_enabled && agent.usedTokens >= shrinkFrom(contextWindow, compactTrigger);
  if (mayShrink && agent.pressure.mayShrink(agent.usedTokens)) {
    shrinkResults(shrinking);
    agent.pressure.postponeShrinking(agent.usedTokens, contextWindow);
  }
  const isFull = () => agent.usedTokens >= (usableTokens(contextWindow) * compactTrigger) / 100;
  const wish = turn.takeCompactionWish();
  if (wish || (scope.settings.values.auto_compact_enabled && isFull() && agent.pressure.mayCompact(agent.usedTokens))) {
    // As long as there is room, the older messages stay for another try.
    const mayTruncate = measurePressure(agent.usedTokens, contextWindow) === "critical";
    await compactAgent(scope, agent, choice, { reason: "auto", signal, turn, mayTruncate, ...wish });
    if (signal.aborted) return;
    await agent.settle(choice, scope.requests.system);
    if (isFull()) forceShrink(shrinking, "threshold");
    agent.pressure.postponeCompaction(agent.usedTokens, contextWindow);
  }
  announcePressure(turn, choice);
}
