import { canonicalJson, type ModelMessage, type ToolSpec } from "@harness/core";
import { isRecord } from "@harness/host";
import type { AgentPart, Content } from "@harness/protocol";
import type { JsonObject } from "./json-answer.ts";

/** A conversation as hooks see it: messages in the format of Anthropic's API, which the contract's tools also use. */
export function messageToJson(message: ModelMessage): JsonObject {
  switch (message.role) {
    case "user":
      return { role: "user", content: message.content.map(contentToJson) };
    case "assistant":
      return { role: "assistant", content: partsToJson(message.parts) };
    case "tool": {
      const { toolCallId, text, images = [], isError } = message;
      const content = images.length === 0 ? text : [{ type: "text", text }, ...images.map(contentToJson)];
      const result = { type: "tool_result", tool_use_id: toolCallId, content, ...(isError && { is_error: true }) };
      return { role: "user", content: [result] };
    }
  }
}

export function partsToJson(parts: readonly AgentPart[]): JsonObject[] {
  return parts.map((part) => {
    if (part.type === "text") return { type: "text", text: part.text };
    if (part.type === "thinking") {
      const { text, signature } = part;
      return { type: "thinking", thinking: text, ...(signature !== undefined && { signature }) };
    }
    return { type: "tool_use", id: part.toolCallId, name: part.name, input: part.input ?? {} };
  });
}

/** Parts that come back unchanged keep the data that JSON does not show: signatures, vendors' data, the author. */
export function partsFromJson(content: unknown, before: readonly AgentPart[] = []): AgentPart[] | undefined {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (!Array.isArray(blocks)) return undefined;
  const known = byJson(before, (part) => partsToJson([part])[0]);
  const parts: AgentPart[] = [];
  for (const block of blocks) {
    const part = known.get(canonicalJson(block)) ?? partFromJson(block);
    if (part === undefined) return undefined;
    parts.push(part);
  }
  return parts;
}

function partFromJson(block: unknown): AgentPart | undefined {
  if (!isRecord(block)) return undefined;
  const { type, text, thinking, id, name, input } = block;
  if (type === "text" && typeof text === "string") return { type, text };
  if (type === "thinking" && typeof thinking === "string") return { type, text: thinking };
  if (type !== "tool_use" || typeof id !== "string" || typeof name !== "string" || !isRecord(input)) return undefined;
  return { type: "tool_call", toolCallId: id, name, input };
}

/** The messages that a hook passes on; `problem`: which of them is invalid. */
export function messagesFromJson(
  value: unknown,
  before: readonly ModelMessage[],
): { messages: ModelMessage[] } | { problem: string } {
  if (!Array.isArray(value)) return { problem: "its messages are not a list" };
  const known = byJson(before, messageToJson);
  const names = new Map<string, string>();
  const messages: ModelMessage[] = [];
  for (const [index, each] of value.entries()) {
    const read = known.get(canonicalJson(each));
    const found = read ? [read] : messageFromJson(each, names);
    if (found === undefined) return { problem: `messages[${index}] is not a message` };
    for (const message of found) {
      if (message.role === "assistant") {
        for (const part of message.parts) if (part.type === "tool_call") names.set(part.toolCallId, part.name);
      }
      messages.push(message);
    }
  }
  return { messages };
}

/** In this format tool results are part of a user message: they become messages of their own. */
function messageFromJson(value: unknown, names: ReadonlyMap<string, string>): ModelMessage[] | undefined {
  if (!isRecord(value)) return undefined;
  if (value.role === "assistant") {
    const parts = partsFromJson(value.content);
    return parts && [{ role: "assistant", parts }];
  }
  const blocks = typeof value.content === "string" ? [{ type: "text", text: value.content }] : value.content;
  if (value.role !== "user" || !Array.isArray(blocks)) return undefined;
  const messages: ModelMessage[] = [];
  const messageContent: Content[] = [];
  for (const block of blocks) {
    if (isRecord(block) && block.type === "tool_result") {
      const result = resultFromJson(block, names);
      if (!result) return undefined;
      messages.push(result);
    } else {
      const content = contentFromJson(block);
      if (!content) return undefined;
      messageContent.push(content);
    }
  }
  return messageContent.length > 0 ? [...messages, { role: "user", content: messageContent }] : messages;
}

function resultFromJson(block: JsonObject, names: ReadonlyMap<string, string>): ModelMessage | undefined {
  const { tool_use_id: toolCallId, content, is_error } = block;
  if (typeof toolCallId !== "string") return undefined;
  const inner = typeof content === "string" ? [{ type: "text", text: content }] : (content ?? []);
  if (!Array.isArray(inner)) return undefined;
  const read = inner.map(contentFromJson);
  const found = read.filter((each) => each !== undefined);
  if (found.length < read.length) return undefined;
  const images = found.filter((each) => each.type === "image");
  const text = found.flatMap((each) => (each.type === "text" ? [each.text] : [])).join("\n");
  const shared = {
    role: "tool" as const,
    toolCallId,
    name: names.get(toolCallId) ?? "",
    text,
    isError: is_error === true,
  };
  return images.length > 0 ? { ...shared, images } : shared;
}

function contentToJson(content: Content): JsonObject {
  if (content.type === "text") return { type: "text", text: content.text };
  const { mimeType, data } = content;
  return { type: "image", source: { type: "base64", media_type: mimeType, data } };
}

function contentFromJson(block: unknown): Content | undefined {
  if (!isRecord(block)) return undefined;
  if (block.type === "text" && typeof block.text === "string") return { type: "text", text: block.text };
  const { source } = block;
  if (block.type !== "image" || !isRecord(source)) return undefined;
  const { media_type: mimeType, data } = source;
  return typeof mimeType === "string" && typeof data === "string" ? { type: "image", mimeType, data } : undefined;
}

export function toolToJson({ name, description, inputSchema }: ToolSpec): JsonObject {
  return { name, description, input_schema: inputSchema };
}

export function toolsFromJson(
  value: unknown,
  before: readonly ToolSpec[],
): { tools: ToolSpec[] } | { problem: string } {
  if (!Array.isArray(value)) return { problem: "its tools are not a list" };
  const known = byJson(before, toolToJson);
  const tools: ToolSpec[] = [];
  for (const [index, each] of value.entries()) {
    const spec = known.get(canonicalJson(each)) ?? specFromJson(each);
    if (!spec) return { problem: `tools[${index}] is not a tool` };
    tools.push(spec);
  }
  return { tools };
}

function specFromJson(value: unknown): ToolSpec | undefined {
  if (!isRecord(value) || typeof value.name !== "string" || !isRecord(value.input_schema)) return undefined;
  const { name, description, input_schema: inputSchema } = value;
  return { name, description: typeof description === "string" ? description : "", inputSchema };
}

function byJson<T>(values: readonly T[], toJson: (value: T) => unknown): Map<string, T> {
  return new Map(values.map((value) => [canonicalJson(toJson(value)), value]));
}
