import type { ModelMessage } from "@harness/core";
import { type AgentPart, type Content, type ToolCallPart, textOf } from "@harness/protocol";

/** How an earlier reply with calls is shown to a model that writes them as text. */
export type ReplyText = (text: string, calls: readonly ToolCallPart[]) => string;

/**
 * A conversation for models without tools: calls are a part of the reply's text, results come as messages of the user.
 * Messages of the user that follow one another become one, for many templates refuse two. Each message depends on
 * itself and its neighbours only, so that a longer conversation begins with the bytes of the shorter one.
 */
export function plainConversation(messages: readonly ModelMessage[], replyText: ReplyText): ModelMessage[] {
  const plain: ModelMessage[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      plain.push({ ...message, parts: plainParts(message.parts, replyText) });
      continue;
    }
    const content = message.role === "tool" ? resultOf(message) : message.content;
    const last = plain.at(-1);
    if (last?.role === "user") plain.splice(-1, 1, { role: "user", content: [...last.content, ...content] });
    else plain.push({ role: "user", content: [...content] });
  }
  return plain;
}

function plainParts(parts: readonly AgentPart[], replyText: ReplyText): AgentPart[] {
  const calls = parts.filter((part) => part.type === "tool_call");
  const text = replyText(textOf(parts), calls);
  const thinking = parts.filter((part) => part.type === "thinking");
  return text === "" ? thinking : [...thinking, { type: "text", text }];
}

function resultOf(message: Extract<ModelMessage, { role: "tool" }>): Content[] {
  const head = `Tool result (${message.name}${message.isError ? ", error" : ""}):`;
  return [{ type: "text", text: `${head}\n${message.text}` }, ...(message.images ?? [])];
}

/** A call as the model is taught to write it; arguments that were no object stay as it wrote them. */
export function callText({ name, input, inputText }: ToolCallPart): string {
  const args = input || inputText === undefined ? JSON.stringify(input ?? {}) : inputText;
  return `{"tool": ${JSON.stringify(name)}, "args": ${args}}`;
}
