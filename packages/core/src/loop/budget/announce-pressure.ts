import { estimateTokens } from "../../context/tokens/estimate-tokens.ts";
import { usableTokens } from "../../context/tokens/usable-tokens.ts";
import type { ModelChoice } from "../../ports/provider.ts";
import type { Turn } from "../turn/turn.ts";

/** From this share of the usable window on, system text and tools leave too little to work with. */
const CROWDED_SHARE = 0.5;

/** Notifies the user once for each threshold, until the window is clearly less full again. */
export function announcePressure(turn: Turn, choice: ModelChoice): void {
  const { agent } = turn;
  // After the truncation alarm it is unknown how full the context window is.
  if (agent.truncated) return;
  const contextWindow = choice.contextWindow.tokens;
  const isFirst = !agent.meter.isCounted && agent.projection.messages.every(({ role }) => role === "user");
  // An estimate for a first request covers instructions and tools, which servers count in their own way.
  if (isFirst) return;
  const used = agent.usedTokens;
  const usable = usableTokens(contextWindow);
  const pressure = agent.pressure.announce(used, contextWindow);
  if (pressure === undefined) return;
  const fixed = estimateTokens(agent.requestChars - agent.projection.chars);
  const isCrowded = fixed >= usable * CROWDED_SHARE;
  const title = `The context window is ${Math.round((used / usable) * 100)} % full (${used} of ${usable} usable tokens).`;
  if (isCrowded) turn.notice(pressure === "critical" ? "error" : "warning", title, crowdedText(fixed, choice));
  else if (pressure === "critical")
    turn.notice(
      "error",
      title,
      "The model will soon see only part of the conversation: type /compact, or start a new session.",
    );
  else turn.notice("warning", title, warnText(turn));
}

function crowdedText(fixed: number, { contextWindowAdvice }: ModelChoice): string {
  const advice = contextWindowAdvice ?? "Choose a model with a larger context window.";
  return `Instructions and tools alone take about ${fixed} of them, which leaves little for the conversation. ${advice}`;
}

function warnText({ scope: { settings } }: Turn): string {
  const then = settings.values.auto_compact_enabled
    ? `At ${settings.values.compact_trigger} % older messages are summarised.`
    : "/compact summarises older messages.";
  return `${then} /context shows what fills it.`;
}
