import { textOf } from "@harness/protocol";
import type { ModelMessage } from "../../ports/provider.ts";
import { cutText } from "./cut-text.ts";

const MAX_RESULT = 2_000;
/** The most messages to summarise in one request; longer transcripts are split. */
const MAX_MESSAGES = 200;
/** From here on each part is as long as one request allows; shorter transcripts are split into two. */
const MANY_MESSAGES = 500;

/** The messages as labelled texts. Results are cut to their beginning, everything else is complete. */
export function transcriptOf(messages: readonly ModelMessage[], maxResult = MAX_RESULT): string[] {
  return messages.map((message) => transcriptLine(message, maxResult)).filter((line) => line !== "");
}

/**
 * Splits a transcript into parts that each fit into one request, covering every message. A message that does not fit by
 * itself continues in the next part.
 */
export function transcriptParts(lines: readonly string[], maxChars: number): string[][] {
  const most = lines.length <= MAX_MESSAGES ? lines.length : messagesPerPart(lines.length);
  const parts: string[][] = [];
  let part: string[] = [];
  let room = maxChars;
  for (const line of lines.flatMap((each) => pieces(each, maxChars))) {
    if (part.length > 0 && (line.length + 2 > room || part.length >= most)) {
      parts.push(part);
      part = [];
      room = maxChars;
    }
    part.push(line);
    room -= line.length + 2;
  }
  return part.length === 0 ? parts : [...parts, part];
}

/** Splits a part into halves of similar length; undefined: it is too short. */
export function halvesOf(part: readonly string[]): [string[], string[]] | undefined {
  const chars = part.reduce((sum, line) => sum + line.length, 0);
  const [first, ...rest] = transcriptParts(part, Math.ceil(chars / 2));
  if (first === undefined || rest.length === 0 || chars < 2) return undefined;
  return [first, rest.flat()];
}

function messagesPerPart(count: number): number {
  return count >= MANY_MESSAGES ? MAX_MESSAGES : Math.ceil(count / 2);
}

function pieces(line: string, maxChars: number): string[] {
  if (line.length <= maxChars) return [line];
  const size = Math.max(1, maxChars);
  const count = Math.ceil(line.length / size);
  return Array.from({ length: count }, (_, n) => line.slice(n * size, (n + 1) * size).toWellFormed());
}

function transcriptLine(message: ModelMessage, maxResult: number): string {
  if (message.role === "user") return `User: ${textOf(message.content) || "(an image)"}`;
  if (message.role === "tool") return `Tool result (${message.name}): ${cutText(message.text, maxResult)}`;
  return message.parts
    .flatMap((part) => {
      if (part.type === "text") return [`Assistant: ${part.text}`];
      if (part.type === "thinking") return [];
      return [
        `Assistant tool_call: ${part.name} ${cutText(JSON.stringify(part.input ?? part.inputText ?? {}), maxResult)}`,
      ];
    })
    .join("\n");
}
