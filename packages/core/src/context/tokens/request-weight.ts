import type { ModelMessage } from "../../ports/provider.ts";
import { estimateTokens, messageChars } from "./estimate-tokens.ts";
import { minMessageTokens } from "./min-tokens.ts";

/** The weight of a request, used to check that the server read all of it. Plain data that travels with the reply. */
export type RequestWeight = {
  /** The usual estimate, for display. */
  estimatedTokens: number;
  /** The minimum tokens of its text with any tokenizer (`minTokens`). */
  minTokens: number;
  /** The context window that harness assumes. */
  contextWindow: number;
  /** The messages added since the agent's previous request; absent: this request does not extend it. */
  added?: AddedWeight;
};

/** Sums of the messages at the end of a request. */
export type AddedWeight = MessageSum & {
  /**
   * True if there is no previous request: these are the messages from the model's last reply on, which a server may
   * have cached.
   */
  isFirst: boolean;
};

/** Sums of some messages. */
export type MessageSum = {
  messages: number;
  estimatedTokens: number;
  minTokens: number;
  /** The share of `minTokens` that the model wrote itself, which servers may have cached as it was generated. */
  ownMinTokens: number;
  /** Number of messages that a template treats as the user's. */
  fromUser: number;
};

export const NO_MESSAGES: MessageSum = {
  messages: 0,
  estimatedTokens: 0,
  minTokens: 0,
  ownMinTokens: 0,
  fromUser: 0,
};

export function plusMessage(sum: MessageSum, message: ModelMessage): MessageSum {
  const least = minMessageTokens(message);
  // Wire APIs without images in results send them as a message from the user.
  const isFromUser = message.role === "user" || (message.role === "tool" && (message.images?.length ?? 0) > 0);
  return {
    messages: sum.messages + 1,
    estimatedTokens: sum.estimatedTokens + estimateTokens(messageChars(message)),
    minTokens: sum.minTokens + least,
    ownMinTokens: sum.ownMinTokens + (message.role === "assistant" ? least : 0),
    fromUser: sum.fromUser + (isFromUser ? 1 : 0),
  };
}

export function minus(all: MessageSum, before: MessageSum): MessageSum {
  return {
    messages: all.messages - before.messages,
    estimatedTokens: all.estimatedTokens - before.estimatedTokens,
    minTokens: all.minTokens - before.minTokens,
    ownMinTokens: all.ownMinTokens - before.ownMinTokens,
    fromUser: all.fromUser - before.fromUser,
  };
}
