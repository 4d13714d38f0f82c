import type { ModelMessage } from "../../ports/provider.ts";

const HEADING =
  "Summary of our conversation so far; the messages before this point were replaced by it. `recall` finds their words.";

/** The message that replaces those before a compaction. */
export function summaryMessage(summary: string): ModelMessage {
  return { role: "user", content: [{ type: "text", text: `${HEADING}\n\n${summary}` }] };
}
