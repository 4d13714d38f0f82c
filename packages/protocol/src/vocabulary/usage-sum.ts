import type { Cost, Usage } from "./message.ts";

const COUNTS = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens", "reasoningTokens"] as const;

/** The sum of two reports; a field that neither had stays absent, and what is no number is left out. */
export function addUsage(sum: Usage, more: Usage | undefined): Usage {
  const result: Usage = { ...sum };
  for (const key of COUNTS) {
    const tokens = more?.[key];
    if (tokens !== undefined && Number.isFinite(tokens) && tokens >= 0) result[key] = (result[key] ?? 0) + tokens;
  }
  return result;
}

/** Nothing was spent yet. */
export const NO_COST: Cost = { usd: 0, unpricedRequests: 0 };

/** One request of which nobody knows what it has cost. */
export const UNPRICED: Cost = { usd: 0, unpricedRequests: 1 };

export function addCost(sum: Cost, more: Cost | undefined): Cost {
  if (!more) return sum;
  return { usd: sum.usd + more.usd, unpricedRequests: sum.unpricedRequests + more.unpricedRequests };
}
