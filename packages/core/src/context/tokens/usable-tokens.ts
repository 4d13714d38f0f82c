import type { Pressure } from "@harness/protocol";

const REPLY_RESERVE = 4_096;

/** The part of the context window that a request may fill; the rest is left for the reply. */
export function usableTokens(contextWindow: number): number {
  return contextWindow - Math.min(REPLY_RESERVE, Math.floor(contextWindow / 4));
}

/** From here on people are warned. */
const WARN_SHARE = 0.7;
const CRITICAL_SHARE = 0.9;

/** Tokens from which on old results are shortened: in any case before older messages are summarised. */
export function shrinkFrom(contextWindow: number, compactTrigger: number): number {
  return Math.ceil(usableTokens(contextWindow) * Math.min(WARN_SHARE, compactTrigger / 100 - 0.1));
}

/** How full the usable part is. */

export function measurePressure(usedTokens: number, contextWindow: number): Pressure {
  const share = usedTokens / usableTokens(contextWindow);
  if (share >= CRITICAL_SHARE) return "critical";
  return share >= WARN_SHARE ? "warn" : "none";
}

/** Maximum characters of a single result: a quarter of the context window at four characters a token. */
export function resultLimitChars(contextWindow: number): number {
  return Math.max(2_000, contextWindow);
}
