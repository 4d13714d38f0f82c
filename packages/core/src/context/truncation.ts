import type { Usage } from "@harness/protocol";

/** The server read only a part of a prompt: what was sent, as estimated, and what it counted. */
export type Truncation = { sentTokens: number; readTokens: number };

/** What a request holds, for the question whether all of it was read. */
export type RequestWeight = {
  /** The usual estimate, for people. */
  estimatedTokens: number;
  /** The fewest tokens that any tokenizer makes of its text (`leastTokens`). */
  leastTokens: number;
  /** The window that harness goes by. */
  windowTokens: number;
};

/** Shorter requests say nothing: a template may leave out a system text or put tools in other words. */
const LEAST_TOLD = 1_000;
/** A count that is exactly the size of a window is suspicious from this share on. */
const ROUND_SHARE = 1.25;
/** The smallest window that anybody sets up. */
const SMALLEST_WINDOW = 1_024;

/**
 * Did the server read less than it was sent? A count below what any tokenizer could make of the text proves it. So does,
 * from a smaller difference on, a count that is exactly a window's size: a server that cuts fills its window.
 */
export function truncationOf(usage: Usage | undefined, weight: RequestWeight): Truncation | undefined {
  const readTokens = tokensRead(usage);
  if (readTokens === undefined || weight.leastTokens < LEAST_TOLD) return undefined;
  const isFar = readTokens < weight.leastTokens;
  // Twice the least is what text usually has.
  const isFull = isWindowSize(readTokens, weight.windowTokens) && readTokens * ROUND_SHARE < weight.leastTokens * 2;
  if (!isFar && !isFull) return undefined;
  return { sentTokens: Math.max(weight.estimatedTokens, Math.ceil(weight.leastTokens)), readTokens };
}

/** Tokens of the prompt. What came from a cache is part of it; where it is more than the whole, it stood beside it. */
export function tokensRead(usage: Usage | undefined): number | undefined {
  const input = sane(usage?.inputTokens);
  const cached = (sane(usage?.cacheReadTokens) ?? 0) + (sane(usage?.cacheWriteTokens) ?? 0);
  if (input === undefined) return undefined;
  return cached > input ? input + cached : input;
}

function isWindowSize(tokens: number, windowTokens: number): boolean {
  if (tokens === windowTokens) return true;
  if (tokens < SMALLEST_WINDOW) return false;
  let odd = tokens;
  while (odd % 2 === 0) odd /= 2;
  return odd === 1 || (odd === 3 && tokens >= 2 * SMALLEST_WINDOW);
}

function sane(tokens: number | undefined): number | undefined {
  return tokens !== undefined && Number.isFinite(tokens) && tokens > 0 ? tokens : undefined;
}
