import type { AgentPart, Usage } from "@harness/protocol";
import type { Truncation } from "../../ports/live-session.ts";
import type { AddedWeight, RequestWeight } from "./request-weight.ts";
import { detectTruncation, isWindowSize, MIN_CHECKED_TOKENS, tokensRead, truncationTo } from "./truncation.ts";

/** A server's usage report for a request, and how to interpret it. */
export type CountedReply = {
  usage: Usage | undefined;
  parts: readonly AgentPart[];
  /** Provider and model: the counts of one say nothing about another. */
  modelKey: string;
  /** True if the server is known to report uncached prompt tokens only. */
  countsPart: boolean;
};

export type TruncationVerdict =
  | { kind: "uncounted" }
  /** `tokens`: prompt tokens, at least the previous count plus the minimum of what was added. */
  | { kind: "whole"; tokens: number }
  /** The server reported uncached tokens only. `isCertain`: the request extended the previous one. */
  | { kind: "part"; isCertain: boolean }
  /** `mostRead`: the largest prompt that the server was seen to read. */
  | { kind: "cut"; truncation: Truncation; mostRead: number };

/** Allows for template suffixes, and for routers whose servers count slightly differently. */
const TOLERANCE_TOKENS = 64;
const TOLERANCE_SHARE = 0.03;
/** A count of the added messages lies between these multiples of their minimum; twice is typical. */
const MIN_SHARE = 1.3;
const MAX_SHARE = 3;
const MAX_SHARE_OF_ESTIMATE = 1.5;
/** Allowances for roles, ids and brackets around a message, and for caches that store whole blocks. */
const FRAME_TOKENS = 40;
const BLOCK_TOKENS = 128;

/**
 * Compares a server's counts with the contents of an agent's requests. As long as each request extends the previous
 * one, the count grows by at least what was added; a server that drops the oldest messages falls behind. Only thoughts
 * may disappear, because templates omit them once the user has spoken again.
 */
export class TruncationDetector {
  /** The last count, and the minimum of the text it was for. */
  #floor: { tokens: number; minTokens: number } | undefined;
  /** The maximum tokens of thoughts: in that count, in what the last request added, and in replies since. */
  #sentThoughts = 0;
  #addedThoughts = 0;
  #newThoughts = 0;
  #mostRead = { modelKey: "", tokens: 0 };

  /**
   * Call before each request is answered. `toolsAsText`: tool results are sent as messages from the user, so that a
   * template may drop thoughts in the middle of a turn.
   */
  begin({ added }: RequestWeight, { toolsAsText }: { toolsAsText: boolean }): void {
    if (!added || added.isFirst) this.#floor = undefined;
    this.#addedThoughts = this.#newThoughts;
    this.#newThoughts = 0;
    if (!toolsAsText && (added?.fromUser ?? 0) === 0) {
      this.#sentThoughts += this.#addedThoughts;
      return;
    }
    if (this.#floor) this.#floor.tokens -= this.#sentThoughts;
    this.#sentThoughts = 0;
  }

  /** Judges the count that came with the reply to the last request. */
  take(weight: RequestWeight, reply: CountedReply): TruncationVerdict {
    this.#newThoughts += thoughtTokens(reply);
    const { usage, modelKey, countsPart } = reply;
    const read = tokensRead(usage);
    if (read === undefined) return { kind: "uncounted" };
    if (countsPart) return { kind: "part", isCertain: true };
    const expected = this.#floor ? this.#floor.tokens + weight.minTokens - this.#floor.minTokens : 0;
    const isBehind = expected >= MIN_CHECKED_TOKENS && read < expected * (1 - TOLERANCE_SHARE) - TOLERANCE_TOKENS;
    const truncation = detectTruncation(usage, weight) ?? (isBehind ? truncationTo(read, weight) : undefined);
    const { added } = weight;
    if (truncation && added && isOf(added, read, this.#addedThoughts) && !isWindowSize(read, weight.contextWindow))
      return { kind: "part", isCertain: !added.isFirst };
    if (this.#mostRead.modelKey !== modelKey) this.#mostRead = { modelKey, tokens: 0 };
    this.#mostRead.tokens = Math.max(this.#mostRead.tokens, read);
    if (truncation) return { kind: "cut", truncation, mostRead: this.#mostRead.tokens };
    const tokens = Math.max(read, Math.ceil(expected));
    this.#floor = { tokens, minTokens: weight.minTokens };
    return { kind: "whole", tokens };
  }
}

/** True if the count may cover only the added messages. A server may have cached what the model wrote itself. */
function isOf({ minTokens, ownMinTokens, estimatedTokens, messages }: AddedWeight, read: number, thoughts: number) {
  const most = Math.max(minTokens * MAX_SHARE, estimatedTokens * MAX_SHARE_OF_ESTIMATE);
  const frames = messages * FRAME_TOKENS + BLOCK_TOKENS;
  return read >= (minTokens - ownMinTokens) * MIN_SHARE && read <= most + frames + thoughts;
}

/**
 * The maximum tokens that a reply's thoughts can take when they are sent back. Some vendors hide most of the thoughts
 * and still count them all.
 */
function thoughtTokens({ parts, usage }: CountedReply): number {
  const { reasoningTokens = 0, outputTokens = 0 } = usage ?? {};
  const thoughts = parts.filter((part) => part.type === "thinking");
  if (thoughts.length === 0) return reasoningTokens;
  const chars = thoughts.reduce((sum, { text }) => sum + text.length, 0);
  return Math.max(chars, reasoningTokens || outputTokens);
}
