import type { ModelMessage } from "../../ports/provider.ts";
import { messageChars } from "../tokens/estimate-tokens.ts";

/** Messages and results since the last reply, with the seqs of their facts. A compaction summary does not count. */
export function unansweredMessages(
  messages: readonly ModelMessage[],
  seqs: readonly number[],
): { seq: number; message: ModelMessage }[] {
  const first = messages.findLastIndex(({ role }) => role === "assistant") + 1;
  return messages
    .slice(first)
    .map((message, index) => ({ seq: seqs[first + index] ?? 0, message }))
    .filter(({ seq }) => seq !== 0);
}

/** The indexes of all such messages except the last one, in descending order. */
export function allButLast(messages: readonly ModelMessage[], isSuch: (message: ModelMessage) => boolean): number[] {
  const indexes = messages.flatMap((message, index) => (isSuch(message) ? [index] : []));
  return indexes.slice(0, -1).reverse();
}

/** A message that fills half a context window exceeds this share of a conversation that fitted before. */
const OVERSIZE_SHARE = 1 / 3;
/** A shorter message cannot have caused an overflow. */
const OVERSIZE_FROM_CHARS = 2_000;

/** The messages that may have made a conversation of this length overflow. */
export function oversizeAmong(messages: readonly ModelMessage[], conversationChars: number): ModelMessage[] {
  const least = Math.max(OVERSIZE_FROM_CHARS, conversationChars * OVERSIZE_SHARE);
  return messages.filter((message) => messageChars(message) > least);
}
