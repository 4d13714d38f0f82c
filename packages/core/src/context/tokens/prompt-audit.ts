import type { AgentPart, Usage } from "@harness/protocol";
import type { Truncation } from "../../ports/live-session.ts";
import type { AddedWeight, RequestWeight } from "./request-weight.ts";
import { cutTo, detectTruncation, isWindowSize, MIN_CHECKED_TOKENS, tokensRead } from "./truncation.ts";

/** What a server said of a request that it answered, and how it works. */
export type CountedReply = {
  usage: Usage | undefined;
  parts: readonly AgentPart[];
  /** Provider and model: what was seen of one says nothing of another. */
  modelKey: string;
  /** Its server is known to count only what it had not kept. */
  countsPart: boolean;
};

export type Verdict =
  | { kind: "uncounted" }
  /** `tokens` = those of the prompt: never fewer than the count before and what was added must have. */
  | { kind: "whole"; tokens: number }
  /** The server counted what it had not kept of the last request. `isCertain`: it was seen to begin with that one. */
  | { kind: "part"; isCertain: boolean }
  /** `mostRead` = the most that it was seen to read of one prompt. */
  | { kind: "cut"; truncation: Truncation; mostRead: number };

/** Template ends, and routers that count a little otherwise from one server to the next. */
const TOLERANCE_TOKENS = 64;
const TOLERANCE_SHARE = 0.03;
/** A count of what was added lies between these shares of the fewest tokens of it; usual is twice. */
const MIN_SHARE = 1.3;
const MAX_SHARE = 3;
const MAX_SHARE_OF_ESTIMATE = 1.5;
/** Roles, ids and brackets around a message; the end of a template, and what caches keep in whole blocks. */
const FRAME_TOKENS = 40;
const BLOCK_TOKENS = 128;

/**
 * Compares what a server counted of an agent's requests with what they held. As long as each request begins with the last
 * one, the count can only grow, at least by what was added; a server that drops the oldest messages stays behind. Only
 * thoughts may go: templates leave them out once the person has spoken again.
 */
export class PromptAudit {
  /** The last count, for the text that it was of. */
  #floor: { tokens: number; minTokens: number } | undefined;
  /** The most tokens that thoughts may have in that count, in what the last request added, and in replies since. */
  #sentThoughts = 0;
  #addedThoughts = 0;
  #newThoughts = 0;
  #mostRead = { modelKey: "", tokens: 0 };

  /**
   * Sees every request before it is answered. `toolsAsText`: results of tools go as messages of the person, so that a
   * template may leave out thoughts in the middle of a turn.
   */
  see({ added }: RequestWeight, toolsAsText: boolean): void {
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

  /** Judges the count that came with the reply to the request that was seen last. */
  take(weight: RequestWeight, reply: CountedReply): Verdict {
    this.#newThoughts += thoughtTokens(reply);
    const { usage, modelKey, countsPart } = reply;
    const read = tokensRead(usage);
    if (read === undefined) return { kind: "uncounted" };
    if (countsPart) return { kind: "part", isCertain: true };
    const expected = this.#floor ? this.#floor.tokens + weight.minTokens - this.#floor.minTokens : 0;
    const isBehind = expected >= MIN_CHECKED_TOKENS && read < expected * (1 - TOLERANCE_SHARE) - TOLERANCE_TOKENS;
    const truncation = detectTruncation(usage, weight) ?? (isBehind ? cutTo(read, weight) : undefined);
    const { added } = weight;
    if (truncation && added && isOf(added, read, this.#addedThoughts) && !isWindowSize(read, weight.windowTokens))
      return { kind: "part", isCertain: !added.isFirst };
    if (this.#mostRead.modelKey !== modelKey) this.#mostRead = { modelKey, tokens: 0 };
    this.#mostRead.tokens = Math.max(this.#mostRead.tokens, read);
    if (truncation) return { kind: "cut", truncation, mostRead: this.#mostRead.tokens };
    const tokens = Math.max(read, Math.ceil(expected));
    this.#floor = { tokens, minTokens: weight.minTokens };
    return { kind: "whole", tokens };
  }
}

/** May this be the count of what was added alone? What the model wrote itself a server may have kept. */
function isOf({ minTokens, ownMinTokens, estimatedTokens, messages }: AddedWeight, read: number, thoughts: number) {
  const most = Math.max(minTokens * MAX_SHARE, estimatedTokens * MAX_SHARE_OF_ESTIMATE);
  const frames = messages * FRAME_TOKENS + BLOCK_TOKENS;
  return read >= (minTokens - ownMinTokens) * MIN_SHARE && read <= most + frames + thoughts;
}

/** The most tokens that the thoughts of a reply can have, sent back. Some vendors hide most of them and count them all. */
function thoughtTokens({ parts, usage }: CountedReply): number {
  const { reasoningTokens = 0, outputTokens = 0 } = usage ?? {};
  const thoughts = parts.filter((part) => part.type === "thinking");
  if (thoughts.length === 0) return reasoningTokens;
  const chars = thoughts.reduce((sum, { text }) => sum + text.length, 0);
  return Math.max(chars, reasoningTokens || outputTokens);
}
