import type { Usage } from "@harness/protocol";
import type { Truncation } from "../../ports/live-session.ts";
import type { RequestWeight } from "./request-weight.ts";

/** Shorter requests prove nothing: a template may omit the system text or reword the tools. */
export const MIN_CHECKED_TOKENS = 1_000;
/** A count that is exactly a context window size is suspicious from this ratio on. */
const ROUND_SHARE = 1.25;
/** The smallest context window that anyone configures. */
const MIN_CONTEXT_WINDOW = 1_024;

/**
 * Detects that the server read less than it was sent. A count below the text's minimum proves it. A count that is
 * exactly a context window size proves it at a smaller difference, because a server that cuts a prompt fills its
 * window.
 */
export function detectTruncation(
  usage: Usage | undefined,
  weight: Omit<RequestWeight, "added">,
): Truncation | undefined {
  const readTokens = tokensRead(usage);
  if (readTokens === undefined || weight.minTokens < MIN_CHECKED_TOKENS) return undefined;
  const isFar = readTokens < weight.minTokens;
  // Text usually takes twice the minimum.
  const isFull = isWindowSize(readTokens, weight.contextWindow) && readTokens * ROUND_SHARE < weight.minTokens * 2;
  return isFar || isFull ? truncationTo(readTokens, weight) : undefined;
}

export function truncationTo(readTokens: number, weight: Omit<RequestWeight, "added">): Truncation {
  return { sentTokens: Math.max(weight.estimatedTokens, Math.ceil(weight.minTokens)), readTokens };
}

/**
 * Prompt tokens. Cached tokens are included in the input tokens, unless they exceed them: then they are reported
 * separately.
 */
export function tokensRead(usage: Usage | undefined): number | undefined {
  const input = sane(usage?.inputTokens);
  const cached = (sane(usage?.cacheReadTokens) ?? 0) + (sane(usage?.cacheWriteTokens) ?? 0);
  if (input === undefined) return undefined;
  return cached > input ? input + cached : input;
}

/**
 * Advice for the user. `mostRead`: the largest prompt that the server was seen to read; `contextWindow`: the window
 * that harness assumes; `vendors`: the advice of the vendor, who knows the exact setting.
 */
export function contextWindowAdvice(mostRead: number, contextWindow: number, vendors: string | undefined): string {
  // Cut at the known context window: the request is too long and the setting is right.
  const advice =
    mostRead * 10 >= contextWindow * 9
      ? `Its context window is full (${contextWindow} tokens): compact the conversation, or give the server a larger one.`
      : `Its context window is smaller than the ${contextWindow} tokens that harness assumes: set context_limit to ${Math.max(MIN_CONTEXT_WINDOW, mostRead)}, or give the server a larger one.`;
  return vendors ?? advice;
}

export function isWindowSize(tokens: number, contextWindow: number): boolean {
  if (tokens === contextWindow) return true;
  if (tokens < MIN_CONTEXT_WINDOW) return false;
  let odd = tokens;
  while (odd % 2 === 0) odd /= 2;
  return odd === 1 || (odd === 3 && tokens >= 2 * MIN_CONTEXT_WINDOW);
}

function sane(tokens: number | undefined): number | undefined {
  return tokens !== undefined && Number.isFinite(tokens) && tokens > 0 ? tokens : undefined;
}
