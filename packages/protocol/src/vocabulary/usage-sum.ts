import type { Cost, Usage } from "./message.ts";

const COUNTS = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens"] as const;

/** The sum of two reports. A field missing in both stays absent; a value that is not a number is left out. */
export function addUsage(sum: Usage, more: Usage | undefined): Usage {
  const result: Usage = { ...sum };
  for (const key of COUNTS) {
    const tokens = more?.[key];
    if (tokens !== undefined && Number.isFinite(tokens) && tokens >= 0) result[key] = (result[key] ?? 0) + tokens;
  }
  return result;
}

/** The cost before the first request. */
export const NO_COST: Cost = { usd: 0, unpricedRequests: 0 };

/** One request of unknown cost. */
export const UNPRICED: Cost = { usd: 0, unpricedRequests: 1 };

export function addCost(sum: Cost, more: Cost | undefined): Cost {
  if (!more) return sum;
  return { usd: sum.usd + more.usd, unpricedRequests: sum.unpricedRequests + more.unpricedRequests };
}
