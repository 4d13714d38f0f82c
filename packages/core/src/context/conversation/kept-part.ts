import type { ModelMessage } from "../../ports/provider.ts";
import { messageChars } from "../tokens/estimate-tokens.ts";
import { SHORT_RESULT_CHARS, shortened } from "./shortened-result.ts";

/** The number of the user's messages to keep, with everything that answered them. */
const PAIRS = 5;

/**
 * The part of a conversation that a compaction keeps: messages from `from` on, with results before `shortenTo`
 * shortened.
 */
export type KeptPart = { from: number; shortenTo: number };

export type KeepRequest = {
  messages: readonly ModelMessage[];
  /** The indexes of the user's messages, ascending. */
  prompts: readonly number[];
  /** The first message that may be kept, so that something is left to summarise. */
  least: number;
  /** The maximum characters of a kept part that begins at this index. */
  room(from: number): number;
  /** The maximum for the last reply with its results, which the model may not have seen yet. */
  maxChars: number;
  /** The maximum for the last two replies if the last alone exceeds the room; 0: only the last is kept. */
  maxCharsOfTwo?: number;
};

/**
 * Finds what a compaction keeps: the user's last five answered messages with everything after them. If they do not fit,
 * their oldest results are shortened first, then the oldest replies are dropped. The last reply is always kept, with
 * complete results if they can be sent at all, and the one before it if it is short. A call is never separated from its
 * results. Undefined: nothing to compact, because everything is kept.
 */
export function keptPart(request: KeepRequest): KeptPart | undefined {
  const { messages, prompts, least, room, maxChars, maxCharsOfTwo = 0 } = request;
  const sizes = messages.map(messageChars);
  const pairs = pairsFrom(messages, prompts);
  if (pairs < least && sizes.reduce((sum, size) => sum + size, 0) <= room(0)) return undefined;
  const starts = groupStarts(messages).filter((start) => start >= Math.max(least, pairs));
  const last = starts.at(-1);
  if (last === undefined) return undefined;
  for (const from of starts) {
    const shortenTo = shortenedUpTo(messages, sizes, { from, to: last, maxChars: room(from) });
    if (shortenTo !== undefined) return { from, shortenTo };
  }
  const before = starts.at(-2);
  if (before !== undefined) {
    const shortenTo = shortenedUpTo(messages, sizes, { from: before, to: last, maxChars: maxCharsOfTwo });
    if (shortenTo !== undefined) return { from: before, shortenTo };
  }
  const end = messages.length;
  return { from: last, shortenTo: shortenedUpTo(messages, sizes, { from: last, to: end, maxChars }) ?? end };
}

/** The index at which the user's last five answered messages begin; 0: there are no more than five. */
function pairsFrom(messages: readonly ModelMessage[], prompts: readonly number[]): number {
  const lastReply = messages.findLastIndex(({ role }) => role === "assistant");
  const answered = prompts.filter((index) => index < lastReply);
  const first = answered.at(-PAIRS);
  return first === undefined || answered.length <= PAIRS ? 0 : startOfGroup(messages, first);
}

/** The indexes at which replies begin, including the messages that each answers. */
export function groupStarts(messages: readonly ModelMessage[]): number[] {
  return messages.flatMap(({ role }, index) => (role === "assistant" ? [startOfGroup(messages, index)] : []));
}

function startOfGroup(messages: readonly ModelMessage[], index: number): number {
  let start = index;
  while (start > 0 && messages[start - 1]?.role === "user") start -= 1;
  return start;
}

/** The end of the results to shorten, oldest first, so that the rest fits; undefined: it cannot fit. */
function shortenedUpTo(
  messages: readonly ModelMessage[],
  sizes: readonly number[],
  { from, to, maxChars }: { from: number; to: number; maxChars: number },
): number | undefined {
  let chars = 0;
  for (let index = from; index < messages.length; index += 1) chars += sizes[index] ?? 0;
  if (chars <= maxChars) return from;
  for (let index = from; index < to; index += 1) {
    const message = messages[index];
    if (message?.role !== "tool") continue;
    chars -= (sizes[index] ?? 0) - messageChars(shortened(message, SHORT_RESULT_CHARS));
    if (chars <= maxChars) return index + 1;
  }
  return undefined;
}

/** Characters of the kept part. */
export function keptChars(messages: readonly ModelMessage[], { from, shortenTo }: KeptPart): number {
  return messages.slice(from).reduce((sum, message, index) => {
    const isShort = message.role === "tool" && from + index < shortenTo;
    return sum + messageChars(isShort ? shortened(message, SHORT_RESULT_CHARS) : message);
  }, 0);
}
