import type { ModelMessage } from "@harness/core";
import { type AgentPart, type Content, type ToolCallPart, textOf } from "@harness/protocol";

/** Renders an earlier reply with calls for a model that writes them as text. */
export type ReplyText = (text: string, calls: readonly ToolCallPart[]) => string;

/**
 * A conversation for models without tools: calls are part of the reply's text, results are sent as user messages.
 * Consecutive user messages are merged, because many templates refuse two in a row. Each message depends only on itself
 * and its neighbours, so that a longer conversation begins with the bytes of the shorter one.
 */
export function plainConversation(messages: readonly ModelMessage[], replyText: ReplyText): ModelMessage[] {
  const plain: ModelMessage[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      const parts = plainParts(message.parts, replyText);
      if (parts) plain.push({ ...message, parts });
      continue;
    }
    const content = message.role === "tool" ? resultOf(message) : message.content;
    const last = plain.at(-1);
    if (last?.role === "user") plain.splice(-1, 1, { role: "user", content: [...last.content, ...content] });
    else plain.push({ role: "user", content: [...content] });
  }
  return plain;
}

/** Undefined for a reply without text: most wires omit it, and two user messages would follow each other. */
function plainParts(parts: readonly AgentPart[], replyText: ReplyText): AgentPart[] | undefined {
  const calls = parts.filter((part) => part.type === "tool_call");
  const text = replyText(textOf(parts), calls);
  if (text.trim() === "") return undefined;
  return [...parts.filter((part) => part.type === "thinking"), { type: "text", text }];
}

function resultOf(message: Extract<ModelMessage, { role: "tool" }>): Content[] {
  const head = `Tool result (${message.name}${message.isError ? ", error" : ""}):`;
  return [{ type: "text", text: `${head}\n${message.text}` }, ...(message.images ?? [])];
}

/** A call as the model is taught to write it; arguments that are not an object stay as written. */
export function callText({ name, input, inputText }: ToolCallPart): string {
  const args = input || inputText === undefined ? JSON.stringify(input ?? {}) : inputText;
  return `{"tool": ${JSON.stringify(name)}, "args": ${args}}`;
}
