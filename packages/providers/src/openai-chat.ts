import type { ModelMessage, ModelRequest } from "@harness/core";
import { type Content, type Stop, type ThinkingPart, type ToolCallPart, textOf } from "@harness/protocol";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import type { Endpoint } from "./endpoint.ts";
import { readErrorObject } from "./error-text.ts";
import { SseFraming } from "./event-lines.ts";
import { StreamFailure } from "./failure.ts";
import { asCount, asList, asRecord, asText, isRecord, type Loose } from "./loose-json.ts";
import { ReasoningDetails, readableOf } from "./reasoning-details.ts";
import type { ReplyDraft } from "./reply-draft.ts";
import { functionTool, sendableName, wellFormedJson } from "./sendable.ts";
import type { WireApi, WireCall, WireReader } from "./wire.ts";

/**
 * OpenAI chat completions, as the API reference has them ("The chat completion chunk object"), with the fields that
 * OpenRouter (`reasoning`, `reasoning_details`), llama.cpp, vLLM and DeepSeek (`reasoning_content`) add.
 */
export const openAiChat: WireApi = {
  contentType: /event-stream/,
  optional: {
    reasoning_effort: /reasoning[_ .]?effort/i,
    reasoning: /\breasoning\b/i,
    chat_template_kwargs: /chat_template_kwargs/i,
    temperature: /temperature/i,
    stream_options: /stream_options/i,
    parallel_tool_calls: /parallel_tool_calls/i,
    cache_control: /cache_control/i,
    max_completion_tokens: /max_completion_tokens/i,
    max_tokens: /\bmax_tokens/i,
  },
  framing: () => new SseFraming(),
  body: bodyOf,
  async send({ body, endpoint, fetch }: WireCall) {
    const { OpenAI } = await import("openai");
    const client = new OpenAI({
      baseURL: endpoint.baseUrl,
      // The exchange puts the real key in, or none.
      apiKey: "none",
      organization: null,
      project: null,
      maxRetries: 0,
      timeout: 2 ** 31 - 1,
      logLevel: "off",
      fetch,
    });
    // The fields of vendors beside OpenAI are not in its types.
    return client.chat.completions.create(body as unknown as ChatCompletionCreateParamsStreaming).asResponse();
  },
  reader: (draft) => new ChunkReader(draft),
};

function bodyOf(request: ModelRequest, endpoint: Endpoint): Record<string, unknown> {
  const { quirks } = endpoint.vendor;
  const maxTokensField = (endpoint.usual && quirks.maxTokensField) || "max_tokens";
  return {
    model: request.model,
    messages: messagesOf(request, endpoint.vendor.id),
    ...(request.tools.length > 0 && { tools: request.tools.map(functionTool) }),
    stream: true,
    stream_options: { include_usage: true },
    ...(request.maxOutputTokens !== undefined && { [maxTokensField]: request.maxOutputTokens }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(quirks.parallelToolCalls && request.tools.length > 0 && { parallel_tool_calls: true }),
    ...(quirks.cacheControlFor &&
      request.model.startsWith(quirks.cacheControlFor) && { cache_control: { type: "ephemeral" } }),
    ...effortOf(request.effort, endpoint),
  };
}

function effortOf(effort: string | undefined, { vendor }: Endpoint): Record<string, unknown> {
  if (!effort) return {};
  const isOff = effort === "off";
  switch (vendor.quirks.effort) {
    case "reasoning_effort":
      return { reasoning_effort: isOff ? "none" : effort };
    case "reasoning":
      return { reasoning: isOff ? { enabled: false } : { effort } };
    case "chat_template_kwargs":
      return { chat_template_kwargs: { enable_thinking: !isOff, ...(isOff ? {} : { reasoning_effort: effort }) } };
    default:
      return {};
  }
}

function messagesOf(request: ModelRequest, provider: string): unknown[] {
  const messages: unknown[] = [];
  if (request.system !== "") messages.push({ role: "system", content: request.system.toWellFormed() });
  let images: Content[] = [];
  for (const message of request.messages) {
    // Results may hold text only: their images follow as if the person had sent them, after the last result.
    if (message.role !== "tool" && images.length > 0) {
      messages.push({ role: "user", content: contentOf(images) });
      images = [];
    }
    if (message.role === "tool") {
      messages.push({ role: "tool", tool_call_id: message.toolCallId, content: message.text.toWellFormed() });
      images.push(...(message.images ?? []));
    } else {
      const sent = message.role === "user" ? userOf(message.content) : assistantOf(message, request.model, provider);
      if (sent) messages.push(sent);
    }
  }
  if (images.length > 0) messages.push({ role: "user", content: contentOf(images) });
  return messages;
}

function userOf(content: Content[]): unknown {
  return content.length > 0 && { role: "user", content: contentOf(content) };
}

function contentOf(content: Content[]): unknown {
  if (content.every((part) => part.type === "text")) {
    return content.map((part) => part.text.toWellFormed()).join("\n\n");
  }
  return content.map((part) =>
    part.type === "text"
      ? { type: "text", text: part.text.toWellFormed() }
      : { type: "image_url", image_url: { url: `data:${part.mimeType};base64,${part.data}` } },
  );
}

/** A reply of which nothing can be sent, such as one that was cut while it was thinking, is left out. */
function assistantOf(message: Extract<ModelMessage, { role: "assistant" }>, model: string, provider: string): unknown {
  const calls = message.parts.filter((part) => part.type === "tool_call");
  const text = textOf(message.parts).toWellFormed();
  if (text === "" && calls.length === 0) return undefined;
  const isOwn = message.provider === provider && message.model === model;
  const thinking = isOwn ? message.parts.find((part) => part.type === "thinking") : undefined;
  return {
    role: "assistant",
    content: text === "" ? null : text,
    ...(thinking && thinkingFields(thinking)),
    ...(calls.length > 0 && { tool_calls: calls.map((call) => callOf(call, isOwn)) }),
  };
}

type ThinkingData = { field: "reasoning_content" | "reasoning" } | { field: "reasoning_details"; details: unknown };

function thinkingFields({ text, vendorData }: ThinkingPart): Record<string, unknown> {
  const { field, details } = asRecord(vendorData);
  if (field === "reasoning_details") return { reasoning_details: details };
  return field === "reasoning_content" || field === "reasoning" ? { [field]: text } : {};
}

/** Arguments that were not an object are sent as an empty one: servers parse them, and the result says what was wrong. */
function callOf(call: ToolCallPart, isOwn: boolean): unknown {
  const text = wellFormedJson(call.input ?? {});
  return {
    id: call.toolCallId,
    type: "function",
    function: { name: sendableName(call.name), arguments: text },
    ...(isOwn && isRecord(call.vendorData) && call.vendorData),
  };
}

const stops: Readonly<Record<string, Stop>> = {
  stop: "end",
  tool_calls: "tool_calls",
  function_call: "tool_calls",
  length: "length",
  max_tokens: "length",
  model_length: "length",
  content_filter: "refusal",
  refusal: "refusal",
  safety: "refusal",
};

class ChunkReader implements WireReader {
  readonly #draft: ReplyDraft;
  readonly #details = new ReasoningDetails();
  #thinkingField: "reasoning_content" | "reasoning" | undefined;
  #refused = false;

  constructor(draft: ReplyDraft) {
    this.#draft = draft;
  }

  isEnd(text: string): boolean {
    return text.length < 16 && text.trim() === "[DONE]";
  }

  read(value: unknown, name: string | undefined): void {
    const chunk = asRecord(value);
    if (chunk.error || name === "error") throw new StreamFailure(readErrorObject(value));
    if (isRecord(chunk.usage)) this.#draft.usage = usageOf(chunk.usage);
    const choice = asRecord(asList(chunk.choices)[0]);
    // A server that does not stream sends `message`.
    this.#readDelta(asRecord(choice.delta ?? choice.message));
    const finish = asText(choice.finish_reason);
    if (finish === "error") throw new StreamFailure(readErrorObject(choice.error ?? { message: "the model failed" }));
    if (finish !== "") this.#draft.finish = stops[finish.toLowerCase()] ?? "end";
  }

  finish(): void {
    const details = this.#details.whole();
    let data: ThinkingData | undefined;
    if (details) data = { field: "reasoning_details", details };
    else if (this.#thinkingField) data = { field: this.#thinkingField };
    this.#draft.thinkingData = data;
    if (this.#refused) this.#draft.finish = "refusal";
  }

  #readDelta(delta: Loose): void {
    this.#readThinking(delta);
    this.#readContent(delta.content);
    const refusal = asText(delta.refusal);
    if (refusal !== "") {
      this.#refused = true;
      this.#draft.addText(refusal);
    }
    for (const call of asList(delta.tool_calls)) this.#readCall(asRecord(call));
    if (isRecord(delta.function_call)) this.#readCall({ index: 0, function: delta.function_call });
  }

  #readThinking(delta: Loose): void {
    this.#details.add(delta.reasoning_details);
    const content = asText(delta.reasoning_content);
    const text = content || asText(delta.reasoning);
    if (text !== "") this.#thinkingField ??= content ? "reasoning_content" : "reasoning";
    this.#draft.addThinking(text || readableOf(delta.reasoning_details));
  }

  /** Mistral sends a list of parts, thinking among them. */
  #readContent(content: unknown): void {
    if (typeof content === "string") {
      this.#draft.addText(content);
      return;
    }
    for (const part of asList(content).map(asRecord)) {
      if (part.type === "thinking") this.#draft.addThinking(readableOf(part.thinking));
      else this.#draft.addText(asText(part.text));
    }
  }

  #readCall(call: Loose): void {
    const { name, arguments: given } = asRecord(call.function);
    const index = asCount(call.index);
    this.#draft.addCall({
      ...(index !== undefined && { index }),
      id: asText(call.id),
      name: asText(name),
      text: isRecord(given) ? JSON.stringify(given) : asText(given),
      // Google's signatures of thoughts travel with the call.
      ...(isRecord(call.extra_content) && { vendorData: { extra_content: call.extra_content } }),
    });
  }
}

function usageOf(usage: Loose): NonNullable<ReplyDraft["usage"]> {
  const prompt = asRecord(usage.prompt_tokens_details);
  const counts = {
    inputTokens: asCount(usage.prompt_tokens),
    outputTokens: asCount(usage.completion_tokens),
    cacheReadTokens: asCount(prompt.cached_tokens) ?? asCount(usage.prompt_cache_hit_tokens),
    cacheWriteTokens: asCount(prompt.cache_write_tokens),
    reasoningTokens: asCount(asRecord(usage.completion_tokens_details).reasoning_tokens),
  };
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== undefined));
}
