import type { ModelMessage, ModelRequest } from "@harness/core";
import { type Content, textOf } from "@harness/protocol";
import type { ChatRequest, Message } from "ollama/browser";
import { asCount, asList, asRecord, asText, isRecord, type JsonRecord } from "../../json/lenient-json.ts";
import type { Endpoint } from "../endpoint/endpoint.ts";
import { readErrorObject } from "../failures/error-text.ts";
import { StreamError } from "../failures/failure.ts";
import { takeEnd } from "../failures/finish-reason.ts";
import { ChatReader } from "../openai/chat-reader.ts";
import type { ReplyDraft } from "../reply/reply-draft.ts";
import { sentEffort } from "../request/effort.ts";
import { withImagesAfterResults } from "../request/result-images.ts";
import { functionTool, sendableName, wellFormedRecord } from "../request/sendable.ts";
import { DocumentFraming } from "../sse/framing.ts";
import type { WireApi, WireCall, WireReader } from "../wire-api.ts";
import { ollamaClient } from "./ollama-client.ts";

/** The model stays in memory between the user's turns; Ollama's own default is 5 minutes. */
const KEEP_ALIVE = "15m";

/** Our own field in the body until it is sent: how long to think, for models with more levels than on and off. */
const LEVEL = "think_level";

/** Ollama's own chat API (docs/api.md, "Generate a chat completion"). */
export const ollamaChat: WireApi = {
  contentType: /ndjson|event-stream/,
  optional: {
    [LEVEL]: /think value|think(ing)? level/i,
    think: /does not support thinking|\bthink\b/i,
    truncate: /unknown (field|parameter)\W+truncate/i,
  },
  // Look-alikes send server-sent events.
  framing: () => new DocumentFraming(),
  body: bodyOf,
  async send({ body, endpoint, fetch }: WireCall) {
    if (body.stream === false) return sendWhole(withLevel(body), endpoint, fetch);
    const client = await ollamaClient(endpoint, fetch);
    // Its types do not include levels of thinking yet.
    return client.chat(withLevel(body) as unknown as ChatRequest & { stream: true });
  },
  reader: (draft, endpoint) => new LineReader(draft, endpoint?.countsPart === true),
};

/** Its client would read an answer in one piece itself, but we must read the body. */
function sendWhole(body: object, { baseUrl }: Endpoint, fetch: WireCall["fetch"]): Promise<Response> {
  const headers = { "content-type": "application/json", accept: "application/json" };
  return fetch(`${baseUrl.replace(/\/$/, "")}/api/chat`, { method: "POST", headers, body: JSON.stringify(body) });
}

function bodyOf(request: ModelRequest, endpoint: Endpoint): Record<string, unknown> {
  const options = {
    ...(request.contextWindow !== undefined && { num_ctx: request.contextWindow }),
    ...(request.maxOutputTokens !== undefined && { num_predict: request.maxOutputTokens }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
  };
  return {
    model: request.model,
    messages: messagesOf(request, endpoint.vendor.id),
    ...(request.tools.length > 0 && { tools: request.tools.map(functionTool) }),
    stream: true,
    ...thinkingOf(request.effort, endpoint),
    ...(request.responseSchema && { format: request.responseSchema }),
    // Since 0.12 this makes Ollama refuse an overlong prompt; otherwise it silently drops the beginning. (`shift` would
    // do the same for replies, but a different value makes Ollama reload the model.)
    truncate: false,
    keep_alive: keepAliveOf(endpoint.keepAlive ?? KEEP_ALIVE),
    options,
  } satisfies Omit<ChatRequest, "tools"> & Record<string, unknown>;
}

function thinkingOf(effort: string | undefined, endpoint: Endpoint): Record<string, unknown> {
  if (!effort) return {};
  return effort === "none" ? { think: false } : { think: true, [LEVEL]: sentEffort(endpoint, effort) };
}

/** The level replaces `true`. A server that refuses it gets `true`, one that refuses both gets neither. */
function withLevel(body: Record<string, unknown>): Record<string, unknown> {
  const { [LEVEL]: level, ...sent } = body;
  return level !== undefined && sent.think !== undefined ? { ...sent, think: level } : sent;
}

/** Durations are text, seconds without a unit must be a number. */
function keepAliveOf(text: string): string | number {
  return /^-?\d+$/.test(text) ? Number(text) : text;
}

/** The package's types do not include ids of calls and results yet. */
type SentMessage = Message & { tool_call_id?: string };

export function messagesOf(request: ModelRequest, provider: string): SentMessage[] {
  const messages: SentMessage[] = [];
  if (request.system !== "") messages.push({ role: "system", content: request.system.toWellFormed() });
  for (const message of withImagesAfterResults(request.messages)) {
    if (message.role === "tool") {
      messages.push({
        role: "tool",
        content: message.text.toWellFormed(),
        tool_name: sendableName(message.name),
        tool_call_id: message.toolCallId,
      });
    } else if (message.role !== "assistant") {
      if (message.content.length > 0) messages.push(userOf(message.content));
    } else {
      const sent = assistantOf(message, request.model, provider);
      if (sent) messages.push(sent);
    }
  }
  return messages;
}

function userOf(content: Content[]): Message {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text.toWellFormed()] : []));
  const images = content.flatMap((part) => (part.type === "image" ? [part.data] : []));
  return { role: "user", content: texts.join("\n\n"), ...(images.length > 0 && { images }) };
}

/** Undefined for a reply with nothing to send, such as one cut off while thinking. */
function assistantOf(
  message: Extract<ModelMessage, { role: "assistant" }>,
  model: string,
  provider: string,
): Message | undefined {
  const calls = message.parts.filter((part) => part.type === "tool_call");
  const text = textOf(message.parts).toWellFormed();
  if (text === "" && calls.length === 0) return undefined;
  const isOwn = message.provider === provider && message.model === model;
  const thinking = isOwn ? message.parts.find((part) => part.type === "thinking") : undefined;
  return {
    role: "assistant",
    content: text,
    ...(thinking?.vendorData !== undefined && { thinking: thinking.text }),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => ({
        id: call.toolCallId,
        function: {
          name: sendableName(call.name),
          arguments: wellFormedRecord(call.input ?? {}),
          ...(isOwn && isRecord(call.vendorData) && call.vendorData),
        },
      })),
    }),
  };
}

class LineReader implements WireReader {
  readonly #draft: ReplyDraft;
  readonly #countsPart: boolean;
  #calls = 0;
  #thought = false;
  /** Set from the first line in the format of chat completions, which look-alikes send here too. */
  #chat: ChatReader | undefined;

  constructor(draft: ReplyDraft, countsPart: boolean) {
    this.#draft = draft;
    this.#countsPart = countsPart;
  }

  read(value: unknown, name?: string): void {
    const line = asRecord(value);
    if (Array.isArray(line.choices)) this.#chat ??= new ChatReader(this.#draft);
    if (this.#chat) {
      this.#chat.read(value, name);
      return;
    }
    if (line.error) throw new StreamError(readErrorObject(value));
    const message = asRecord(line.message);
    const thinking = asText(message.thinking);
    if (thinking !== "") this.#thought = true;
    this.#draft.addThinking(thinking);
    this.#draft.addText(asText(message.content));
    for (const call of asList(message.tool_calls)) this.#readCall(asRecord(call));
    if (line.done !== true) {
      // The server passes a call on once it has read all of it.
      this.#draft.closeCalls();
      return;
    }
    takeEnd(this.#draft, asText(line.done_reason));
    this.#draft.usage = usageOf(line, this.#countsPart);
    this.#draft.isClosed = true;
  }

  finish(): void {
    this.#chat?.finish();
    if (this.#thought) this.#draft.thinkingData = { field: "thinking" };
  }

  /** Each call comes complete, its arguments as an object; look-alikes send them as text. */
  #readCall(call: JsonRecord): void {
    const { name, arguments: given, index: _index, ...extras } = asRecord(call.function);
    this.#draft.addCall({
      index: this.#calls++,
      id: asText(call.id),
      name: asText(name),
      text: isRecord(given) || Array.isArray(given) ? JSON.stringify(given) : asText(given),
      // Signatures of thoughts, which Google's models require back with the call.
      ...(Object.keys(extras).length > 0 && { vendorData: extras }),
    });
  }
}

/** The prompt is counted completely or not at all. A count of 0 means not counted. */
function usageOf(line: JsonRecord, countsPart: boolean): NonNullable<ReplyDraft["usage"]> {
  const nested = asRecord(line.usage);
  const cached = asCount(line.prompt_eval_cached_count);
  const count = (asCount(line.prompt_eval_count) ?? asCount(nested.prompt_tokens)) || undefined;
  const isWhole = count !== undefined && (cached === undefined ? !countsPart : cached <= count);
  const outputTokens = asCount(line.eval_count) ?? asCount(nested.completion_tokens);
  return {
    ...(isWhole && { inputTokens: count }),
    ...(isWhole && cached !== undefined && { cacheReadTokens: cached }),
    ...(outputTokens !== undefined && { outputTokens }),
  };
}
