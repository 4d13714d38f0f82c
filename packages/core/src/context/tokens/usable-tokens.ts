import type { Pressure } from "@harness/protocol";

const REPLY_RESERVE = 4_096;

/** The part of the context window that a request may fill; the rest is reserved for the reply. */
export function usableTokens(contextWindow: number): number {
  return contextWindow - Math.min(REPLY_RESERVE, Math.floor(contextWindow / 4));
}

/** People are warned from here on. */
const WARN_SHARE = 0.7;
const CRITICAL_SHARE = 0.9;

/** The number of tokens from which old results are shortened: always before older messages are summarised. */
export function shrinkFrom(contextWindow: number, compactTrigger: number): number {
  return Math.ceil(usableTokens(contextWindow) * Math.min(WARN_SHARE, compactTrigger / 100 - 0.1));
}

/** The fill level of the usable part. */

export function measurePressure(usedTokens: number, contextWindow: number): Pressure {
  const share = usedTokens / usableTokens(contextWindow);
  if (share >= CRITICAL_SHARE) return "critical";
  return share >= WARN_SHARE ? "warn" : "none";
}

/** Maximum characters of a single result: a quarter of the context window at four characters a token. */
export function resultLimitChars(contextWindow: number): number {
  return Math.max(2_000, contextWindow);
}
