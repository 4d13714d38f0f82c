import { pressureOf, usableTokens } from "../../context/tokens/usable-tokens.ts";
import type { ModelChoice } from "../../ports/provider.ts";
import type { Turn } from "../turn/turn.ts";
import { compactAgent, shrinkAgent } from "./compact-agent.ts";

/** Compacts when the context window gets full, and notifies people once for each threshold. */
export async function keepWithinContextWindow(turn: Turn, choice: ModelChoice): Promise<void> {
  const { agent, scope, signal } = turn;
  const windowTokens = choice.window.tokens;
  const isFull = () => ["compact", "critical"].includes(pressureOf(agent.usedTokens, windowTokens));
  if (scope.settings.autoCompact && isFull() && agent.pressure.mayCompact(agent.usedTokens)) {
    await compactAgent(scope, agent, choice, { reason: "auto", signal, turn });
    if (signal.aborted) return;
    await agent.settle(choice, scope.requests.system);
    if (isFull()) shrinkAgent(agent);
    agent.pressure.postponeCompaction(agent.usedTokens, windowTokens);
  }
  announcePressure(turn, windowTokens);
}

function announcePressure(turn: Turn, windowTokens: number): void {
  const { agent } = turn;
  // After the truncation alarm it is unknown how full the context window is.
  if (agent.truncated) return;
  const used = agent.usedTokens;
  const reached = pressureOf(used, windowTokens);
  const pressure = reached === "compact" ? "warn" : reached;
  if (!agent.pressure.announce(pressure)) return;
  const percent = Math.round((used / usableTokens(windowTokens)) * 100);
  const title = `The context window is ${percent} % full (${used} of ${usableTokens(windowTokens)} usable tokens).`;
  const isCritical = pressure === "critical";
  turn.notice(
    isCritical ? "error" : "warning",
    title,
    isCritical
      ? "The model will soon see only a part of the conversation: compact it, or start a new session."
      : undefined,
  );
}
