import type { ModelMessage } from "../../ports/provider.ts";
import { estimateTokens, messageChars } from "./estimate-tokens.ts";
import { minMessageTokens } from "./min-tokens.ts";

/** What a request holds, for the question whether all of it was read. Plain data: it travels with the reply. */
export type RequestWeight = {
  /** The usual estimate, for people. */
  estimatedTokens: number;
  /** The fewest tokens that any tokenizer makes of its text (`minTokens`). */
  minTokens: number;
  /** The window that harness goes by. */
  windowTokens: number;
  /** What was added to the last request of the same agent; absent: this one does not begin with that one. */
  added?: AddedWeight;
};

/** Of the messages at the end of a request. */
export type AddedWeight = MessageSum & {
  /** There is no last request: these are the messages from the model's last reply on, which a server may have kept. */
  isFirst: boolean;
};

/** Of some messages. */
export type MessageSum = {
  messages: number;
  estimatedTokens: number;
  minTokens: number;
  /** Of these, what the model wrote itself: servers may have kept it as they wrote it. */
  ownMinTokens: number;
  /** Messages that a template takes as said by a person. */
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
  // Wire APIs that take no pictures in results send them as a message of the person.
  const isFromUser = message.role === "user" || (message.role === "tool" && (message.images?.length ?? 0) > 0);
  return {
    messages: sum.messages + 1,
    estimatedTokens: sum.estimatedTokens + estimateTokens(messageChars(message)),
    minTokens: sum.minTokens + least,
    ownMinTokens: sum.ownMinTokens + (message.role === "assistant" ? least : 0),
    fromUser: sum.fromUser + (isFromUser ? 1 : 0),
  };
}

/** What is in the first sum and not in the second. */
export function minus(all: MessageSum, before: MessageSum): MessageSum {
  return {
    messages: all.messages - before.messages,
    estimatedTokens: all.estimatedTokens - before.estimatedTokens,
    minTokens: all.minTokens - before.minTokens,
    ownMinTokens: all.ownMinTokens - before.ownMinTokens,
    fromUser: all.fromUser - before.fromUser,
  };
}
