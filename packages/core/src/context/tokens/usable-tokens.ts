const REPLY_RESERVE = 4_096;

/** The part of the context window that a request may fill; the rest is left for the reply. */
export function usableTokens(windowTokens: number): number {
  return windowTokens - Math.min(REPLY_RESERVE, Math.floor(windowTokens / 4));
}

/** How full the usable part is. `warn` from 70 %, `compact` from 80 %, `critical` from 90 %. */
export type Pressure = "none" | "warn" | "compact" | "critical";

export function pressureOf(usedTokens: number, windowTokens: number): Pressure {
  const share = usedTokens / usableTokens(windowTokens);
  if (share >= 0.9) return "critical";
  if (share >= 0.8) return "compact";
  return share >= 0.7 ? "warn" : "none";
}

/** Maximum characters of a single result: a quarter of the context window at four characters a token. */
export function resultLimitChars(windowTokens: number): number {
  return Math.max(2_000, windowTokens);
}
