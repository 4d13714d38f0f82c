import type { ModelMessage } from "../../ports/provider.ts";

/**
 * Finds where the part begins that a compaction keeps verbatim: the last `pairs` replies, each with the messages it
 * answered. The boundary is never between a call and its result, as every reply begins a new group. 0 or less = there
 * is nothing before it.
 */
export function keepBoundary(messages: readonly ModelMessage[], pairs: number): number {
  let index = messages.length;
  for (let left = pairs; left > 0 && index > 0; left -= 1) {
    index = messages.slice(0, index).findLastIndex((message) => message.role === "assistant");
    if (index <= 0) return 0;
  }
  while (index > 0 && messages[index - 1]?.role === "user") index -= 1;
  return index;
}
