import type { Usage } from "@harness/protocol";
import type { Truncation } from "../../ports/live-session.ts";
import type { RequestWeight } from "./request-weight.ts";

/** Shorter requests say nothing: a template may leave out a system text or put tools in other words. */
export const MIN_CHECKED_TOKENS = 1_000;
/** A count that is exactly the size of a window is suspicious from this share on. */
const ROUND_SHARE = 1.25;
/** The smallest window that anybody sets up. */
const MIN_CONTEXT_WINDOW = 1_024;

/**
 * Did the server read less than it was sent? A count below what any tokenizer could make of the text proves it. So does,
 * from a smaller difference on, a count that is exactly a window's size: a server that cuts fills its window.
 */
export function detectTruncation(
  usage: Usage | undefined,
  weight: Omit<RequestWeight, "added">,
): Truncation | undefined {
  const readTokens = tokensRead(usage);
  if (readTokens === undefined || weight.minTokens < MIN_CHECKED_TOKENS) return undefined;
  const isFar = readTokens < weight.minTokens;
  // Twice the least is what text usually has.
  const isFull = isWindowSize(readTokens, weight.windowTokens) && readTokens * ROUND_SHARE < weight.minTokens * 2;
  return isFar || isFull ? cutTo(readTokens, weight) : undefined;
}

export function cutTo(readTokens: number, weight: Omit<RequestWeight, "added">): Truncation {
  return { sentTokens: Math.max(weight.estimatedTokens, Math.ceil(weight.minTokens)), readTokens };
}

/** Tokens of the prompt. What came from a cache is part of it; where it is more than the whole, it stood beside it. */
export function tokensRead(usage: Usage | undefined): number | undefined {
  const input = sane(usage?.inputTokens);
  const cached = (sane(usage?.cacheReadTokens) ?? 0) + (sane(usage?.cacheWriteTokens) ?? 0);
  if (input === undefined) return undefined;
  return cached > input ? input + cached : input;
}

/**
 * What a person can do. `mostRead` = the most tokens that the server was seen to read of one prompt, `windowTokens` = the
 * window that harness goes by, `vendors` = what the vendor advises, who knows the very setting.
 */
export function windowAdvice(mostRead: number, windowTokens: number, vendors: string | undefined): string {
  // Cut at the very window that was known: what was sent is too long, not the setting wrong.
  const advice =
    mostRead * 10 >= windowTokens * 9
      ? `Its window is full (${windowTokens} tokens): compact the conversation, or give the server a larger window.`
      : `Its window is smaller than the ${windowTokens} tokens that harness goes by: set context_limit to ${Math.max(MIN_CONTEXT_WINDOW, mostRead)}, or give the server a larger window.`;
  return vendors ?? advice;
}

export function isWindowSize(tokens: number, windowTokens: number): boolean {
  if (tokens === windowTokens) return true;
  if (tokens < MIN_CONTEXT_WINDOW) return false;
  let odd = tokens;
  while (odd % 2 === 0) odd /= 2;
  return odd === 1 || (odd === 3 && tokens >= 2 * MIN_CONTEXT_WINDOW);
}

function sane(tokens: number | undefined): number | undefined {
  return tokens !== undefined && Number.isFinite(tokens) && tokens > 0 ? tokens : undefined;
}
