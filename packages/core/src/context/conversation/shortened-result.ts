import type { ModelMessage } from "../../ports/provider.ts";

type ToolMessage = Extract<ModelMessage, { role: "tool" }>;

/** The length that old results are shortened to. */
export const SHORT_RESULT_CHARS = 500;
/**
 * Room for the note about the omitted part, so that text slightly over the limit is not cut and nothing is cut twice.
 */
const NOTE_CHARS = 100;

/** A result without its pictures, cut to the beginning of its text; the same object if that saves nothing. */
export function shortened(message: ToolMessage, maxChars: number): ToolMessage {
  const { toolCallId, name, isError } = message;
  if (message.text.length <= maxChars + NOTE_CHARS) return message;
  const text = `${message.text.slice(0, maxChars)}\n[… shortened: ${message.text.length - maxChars} characters left out]`;
  return { role: "tool", toolCallId, name, text, isError };
}
