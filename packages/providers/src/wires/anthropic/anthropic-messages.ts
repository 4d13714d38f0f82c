import type { ModelRequest, ToolSpec } from "@harness/core";
import type { Endpoint } from "../endpoint/endpoint.ts";
import type { Access } from "../http/request-access.ts";
import { wellFormedJson } from "../request/sendable.ts";
import { sendableSchema } from "../request/sendable-schema.ts";
import { SseFraming } from "../sse/framing.ts";
import type { WireApi } from "../wire-api.ts";
import {
  type AnthropicBlock,
  type AnthropicMessage,
  mayThinkOn,
  turnsOf,
  withoutThinking,
} from "./anthropic-conversation.ts";
import { EventReader } from "./anthropic-events.ts";
import { type Thinking, thinkingOf } from "./anthropic-thinking.ts";

/**
 * Anthropic messages (docs, "Create a Message", version 2023-06-01). Written by hand, because the vendor's client would
 * only do one POST for it, and importing it costs 75 ms and 27 MB.
 */
export const anthropicMessages: WireApi = {
  contentType: /event-stream/,
  optional: {
    thinking: /(?<![\w.])thinking\.\w|(adaptive|extended) thinking|support thinking|thinking is not supported/i,
    "output_config.effort": /\beffort\b/i,
    "output_config.format": /output_config|output_format|structured output|json_schema/i,
    temperature: /temperature/i,
  },
  framing: () => new SseFraming(),
  headers: headersOf,
  body: bodyOf,
  send: ({ body, endpoint, fetch }) =>
    fetch(addressOf(endpoint.baseUrl), {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      body: wellFormedJson(body),
    }),
  reader: (draft) => new EventReader(draft),
};

/** A key has its own header; a login token does not use it, even if it comes from a variable. */
function headersOf({ key, token }: Access, { vendor }: Endpoint): Record<string, string> {
  const bearing = token ?? (vendor.login && key);
  return {
    "anthropic-version": "2023-06-01",
    ...(bearing !== undefined ? { authorization: `Bearer ${bearing}` } : key !== undefined && { "x-api-key": key }),
  };
}

/** People write base URLs with and without the version. */
function addressOf(baseUrl: string): string {
  return /\/v1$/.test(baseUrl) ? `${baseUrl}/messages` : `${baseUrl}/v1/messages`;
}

function bodyOf(request: ModelRequest, endpoint: Endpoint): Record<string, unknown> {
  const turns = turnsOf(request, endpoint.vendor.id);
  const thinking = thinkingOf(request, endpoint, { mayBudget: mayThinkOn(turns) });
  const messages = thinking.isOn ? turns : withoutThinking(turns);
  cacheLast(messages);
  const { temperature } = request;
  return {
    model: request.model,
    max_tokens: thinking.maxTokens,
    ...(request.system.trim() !== "" && { system: [withCacheMark({ type: "text", text: request.system })] }),
    ...toolsOf(request, messages),
    messages,
    ...(thinking.config && { thinking: thinking.config }),
    ...outputOf(request, thinking),
    ...(temperature !== undefined && !thinking.isOn && { temperature }),
    stream: true,
  };
}

function outputOf({ responseSchema: schema }: ModelRequest, { effort }: Thinking): Record<string, unknown> {
  const format = schema && { type: "json_schema", schema };
  if (effort === undefined && format === undefined) return {};
  return { output_config: { ...(effort !== undefined && { effort }), ...(format && { format }) } };
}

function withCacheMark<T extends object>(block: T): T {
  return { ...block, cache_control: { type: "ephemeral" } };
}

/**
 * Marks up to where the server caches what it has read: the end of the last message for the next request, and the end
 * of the previous one, which the last request marked. With system and tools these are the four marks allowed.
 */
function cacheLast(turns: readonly AnthropicMessage[]): void {
  for (const { content } of turns.filter((turn) => turn.role === "user").slice(-2)) {
    const last = content.pop();
    if (last) content.push(withCacheMark(last));
  }
}

/** A conversation with calls must include tools, even if none may be used now. */
function toolsOf({ tools }: ModelRequest, turns: readonly AnthropicMessage[]): Record<string, unknown> {
  if (tools.length > 0)
    return { tools: tools.map((tool, at) => (at < tools.length - 1 ? toolOf(tool) : withCacheMark(toolOf(tool)))) };
  const used = new Set(turns.flatMap(({ content }) => content.filter(isCall).map((call) => call.name)));
  if (used.size === 0) return {};
  return {
    tools: [...used].map((name) => ({ name, input_schema: { type: "object" } })),
    tool_choice: { type: "none" },
  };
}

function isCall({ type }: AnthropicBlock): boolean {
  return type === "tool_use";
}

function toolOf({ name, description, inputSchema }: ToolSpec): object {
  return { name, description, input_schema: sendableSchema(inputSchema) };
}
