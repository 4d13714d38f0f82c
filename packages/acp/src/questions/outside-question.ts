import { textContent } from "../calls/block-content.ts";
import type { ClientAsker } from "../peer/client-asker.ts";
import type { UpdateWriter } from "../peer/update-writer.ts";

const options = [
  { optionId: "send", name: "Send them along, this once", kind: "allow_once" as const },
  { optionId: "keep", name: "Do not send the message", kind: "reject_once" as const },
];

type OutsideQuestion = { promptId: string; reason: string; signal: AbortSignal };

/** Asks whether files outside the workspace that a message mentions are meant. */
export async function confirmsOutside(
  { promptId, reason, signal }: OutsideQuestion,
  { asker, writer }: { asker: ClientAsker; writer: UpdateWriter },
): Promise<boolean> {
  const toolCallId = `outside ${promptId}`;
  const toolCall = {
    toolCallId,
    title: "Send files outside the workspace?",
    kind: "read" as const,
    status: "pending" as const,
    content: [textContent(reason)],
    locations: [],
  };
  writer.send({ sessionUpdate: "tool_call", ...toolCall });
  const answer = await asker.choose({ sessionId: writer.sessionId, toolCall, options }, signal);
  const isMeant = answer?.outcome.outcome === "selected" && answer.outcome.optionId === "send";
  writer.send({ sessionUpdate: "tool_call_update", toolCallId, status: isMeant ? "completed" : "failed" });
  return isMeant;
}
