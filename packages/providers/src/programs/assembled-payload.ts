import type { ModelRequest, ToolSpec } from "@harness/core";
import type { JsonRecord } from "../json/lenient-json.ts";
import { type AnthropicMessage, turnsOf, withoutThinking } from "../wires/anthropic/anthropic-conversation.ts";
import type { Vendor, WireName } from "../wires/endpoint/vendor.ts";
import { messagesOf } from "../wires/ollama/ollama.ts";
import { chatMessages } from "../wires/openai/chat-messages.ts";
import { inputItems } from "../wires/openai/responses-input.ts";
import { sendableName } from "../wires/request/sendable.ts";
import { sendableSchema } from "../wires/request/sendable-schema.ts";

/**
 * The input of a provider program that names no protocol, as bash harnesses pipe it through their hooks: the tools
 * always in Anthropic's format, the messages in the format of the API that the program calls. The program builds the
 * request itself.
 */
export type AssembledPayload = {
  model: string;
  system: string;
  messages: unknown[];
  tools: { name: string; description?: string; input_schema: JsonRecord }[];
};

export function assembledPayload(request: ModelRequest, vendor: Vendor, messagesFor: WireName): AssembledPayload {
  const { model, system } = request;
  const messages = messageForms[messagesFor]({ ...request, system: "" }, vendor);
  return { model, system: system.toWellFormed(), messages, tools: toolsOf(request) };
}

/** The messages of each API, without the system text. */
const messageForms: Readonly<Record<WireName, (request: ModelRequest, vendor: Vendor) => unknown[]>> = {
  anthropic: (request, vendor) => anthropicMessages(request, vendor.id).map(withPlainText),
  "openai-chat": chatMessages,
  "openai-responses": (request, vendor) => inputItems(request, vendor.id),
  ollama: (request, vendor) => messagesOf(request, vendor.id),
};

/** Signed thoughts are only accepted back while the model thinks. */
function anthropicMessages(request: ModelRequest, provider: string): AnthropicMessage[] {
  const turns = turnsOf(request, provider);
  return request.effort && request.effort !== "none" ? turns : withoutThinking(turns);
}

/** Scripts read `.content` as text wherever nothing else is in it. */
function withPlainText({ role, content }: AnthropicMessage): JsonRecord {
  const blocks = content.map((block) =>
    block.type === "tool_result" && Array.isArray(block.content) ? { ...block, content: plain(block.content) } : block,
  );
  return { role, content: plain(blocks) };
}

function plain(blocks: readonly JsonRecord[]): unknown {
  const texts = blocks.flatMap(({ type, text }) => (type === "text" && typeof text === "string" ? [text] : []));
  return blocks.length > 0 && texts.length === blocks.length ? texts.join("\n\n") : blocks;
}

/** If the conversation has calls but no tools are left, the names of the called tools: APIs require them. */
function toolsOf({ tools, messages }: ModelRequest): AssembledPayload["tools"] {
  if (tools.length > 0) return tools.map(toolOf);
  const parts = messages.flatMap((message) => (message.role === "assistant" ? message.parts : []));
  const called = new Set(parts.flatMap((part) => (part.type === "tool_call" ? [part.name] : [])));
  return [...called].map((name) => ({ name: sendableName(name), input_schema: { type: "object" } }));
}

function toolOf({ name, description, inputSchema }: ToolSpec): AssembledPayload["tools"][number] {
  return { name, description, input_schema: sendableSchema(inputSchema) };
}
