const REPLY_RESERVE = 4_096;

/** The part of the context window that a request may fill; the rest is left for the reply. */
export function usableTokens(contextWindow: number): number {
  return contextWindow - Math.min(REPLY_RESERVE, Math.floor(contextWindow / 4));
}

/** How full the usable part is, for people. `warn` from 70 %, `critical` from 90 %. */
export type Pressure = "none" | "warn" | "critical";

export function pressureOf(usedTokens: number, contextWindow: number): Pressure {
  const share = usedTokens / usableTokens(contextWindow);
  if (share >= 0.9) return "critical";
  return share >= 0.7 ? "warn" : "none";
}

/** Maximum characters of a single result: a quarter of the context window at four characters a token. */
export function resultLimitChars(contextWindow: number): number {
  return Math.max(2_000, contextWindow);
}
