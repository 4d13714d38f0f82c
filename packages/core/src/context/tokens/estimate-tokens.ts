import type { AgentPart, Content } from "@harness/protocol";
import type { ModelMessage } from "../../ports/provider.ts";

const CHARS_PER_TOKEN = 4;
/** Roughly what vendors count for a screenshot. */
export const IMAGE_CHARS = 1_200 * CHARS_PER_TOKEN;
/** Role, ids and brackets around a message. */
const FRAME_CHARS = 16;

/** Estimates tokens as characters / 4 until a provider has counted them. */
export function estimateTokens(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN);
}

/** The characters a message counts for. */
export function messageChars(message: ModelMessage): number {
  if (message.role === "user") return FRAME_CHARS + contentChars(message.content);
  if (message.role === "tool") return FRAME_CHARS + message.text.length + contentChars(message.images ?? []);
  return message.parts.reduce((sum, part) => sum + partChars(part), FRAME_CHARS);
}

function contentChars(content: readonly Content[]): number {
  return content.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : IMAGE_CHARS), 0);
}

function partChars(part: AgentPart): number {
  if (part.type === "text") return part.text.length;
  // Most vendors drop earlier thoughts; those that want them back count them in the next request.
  if (part.type === "thinking") return 0;
  const input = part.input ? JSON.stringify(part.input).length : (part.inputText?.length ?? 0);
  return FRAME_CHARS + part.name.length + input;
}
