import { type Cost, type Price, UNPRICED, type Usage } from "@harness/protocol";

const PER_TOKENS = 1_000_000;

/**
 * The cost of one request. If the price is unknown, or the provider's report is missing or implausible, the request
 * counts as unpriced: a cost is never guessed. A free model costs 0, whatever was reported.
 */
export function costOf(usage: Usage | undefined, price: Price | undefined): Cost {
  if (price && isFree(price)) return { usd: 0, unpricedRequests: 0 };
  const usd = price && usage ? usdOf(usage, price) : undefined;
  return usd === undefined ? UNPRICED : { usd, unpricedRequests: 0 };
}

type Rates = Omit<Price, "longPrompt">;

export function isFree({ longPrompt, ...usual }: Price): boolean {
  return isNothing(usual) && (longPrompt === undefined || isNothing(longPrompt));
}

function isNothing({ input, output, cacheRead = 0, cacheWrite = 0 }: Rates): boolean {
  return input === 0 && output === 0 && cacheRead === 0 && cacheWrite === 0;
}

function usdOf(usage: Usage, price: Price): number | undefined {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const { longPrompt } = price;
  const rates: Rates = longPrompt && inputTokens > longPrompt.overTokens ? longPrompt : price;
  const { input, output, cacheRead = input, cacheWrite = input } = rates;
  // Cached tokens are included in the input tokens.
  const plainTokens = inputTokens - cacheReadTokens - cacheWriteTokens;
  const counts = [plainTokens, outputTokens, cacheReadTokens, cacheWriteTokens];
  if (!counts.every((count) => Number.isFinite(count) && count >= 0)) return undefined;
  const sum = plainTokens * input + outputTokens * output + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite;
  const usd = sum / PER_TOKENS;
  return Number.isFinite(usd) && usd >= 0 ? usd : undefined;
}
