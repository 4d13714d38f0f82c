import type { ModelMessage } from "../../ports/provider.ts";
import { messageChars } from "../tokens/estimate-tokens.ts";

/** A message that fills half a context window exceeds this share of a conversation that fitted before. */
const OVERSIZE_SHARE = 1 / 3;
/** A shorter message cannot have caused an overflow. */
const OVERSIZE_FROM_CHARS = 2_000;

/** The messages that may have made a conversation of this length overflow. */
export function oversizeAmong(messages: readonly ModelMessage[], conversationChars: number): ModelMessage[] {
  const least = Math.max(OVERSIZE_FROM_CHARS, conversationChars * OVERSIZE_SHARE);
  return messages.filter((message) => messageChars(message) > least);
}
