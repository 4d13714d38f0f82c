import type { ModelMessage } from "../../ports/provider.ts";

const HEADING =
  "Summary of our conversation so far. It replaces the messages before this point; `recall` searches them.";

/** The message that replaces everything before a compaction. */
export function summaryMessage(summary: string): ModelMessage {
  return { role: "user", content: [{ type: "text", text: `${HEADING}\n\n${summary}` }] };
}
