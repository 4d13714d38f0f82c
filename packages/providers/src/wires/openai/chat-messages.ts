import type { ModelMessage, ModelRequest } from "@harness/core";
import { type AgentPart, type Content, type ThinkingPart, type ToolCallPart, textOf } from "@harness/protocol";
import type {
  ChatCompletionContentPart,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import { asRecord, isRecord, type JsonRecord } from "../../json/lenient-json.ts";
import type { Vendor } from "../endpoint/vendor.ts";
import { withImagesAfterResults } from "../request/result-images.ts";
import { sendableName, wellFormedJson } from "../request/sendable.ts";
import { shortId } from "../request/short-id.ts";

type Reply = Extract<ModelMessage, { role: "assistant" }>;

/** The inputs that decide the sent form of a reply. */
type ReplyTarget = { readonly vendor: Vendor; readonly model: string; readonly hadCalled: boolean };
/** `message`: undefined if nothing of the reply can be sent. */
type SentReply = ReplyTarget & {
  readonly parts: readonly AgentPart[];
  readonly message: ChatCompletionMessageParam | undefined;
};

/** Memo of a pure function: every request sends all replies again, and a long session has a thousand of them. */
const sentReplies = new WeakMap<Reply, SentReply>();

/**
 * The `vendorData` of thinking: the message field that it came in and is sent back in. `content`: as parts of a list.
 * `extra_content`: a signature of the whole text.
 */
export type ThinkingData =
  | { field: "reasoning_content" | "reasoning" | "content" }
  | { field: "reasoning_details"; details: unknown }
  | { field: "extra_content"; extra: JsonRecord };

/**
 * A conversation as the messages of chat completions. The messages of one request are a prefix of the next request's.
 */
export function chatMessages(request: ModelRequest, vendor: Vendor): ChatCompletionMessageParam[] {
  const messages = new ChatMessages(request.model, vendor);
  if (request.system !== "") messages.add({ role: "system", content: request.system.toWellFormed() });
  for (const message of withImagesAfterResults(request.messages)) {
    if (message.role === "user") messages.addPerson(message.content);
    else if (message.role === "images") messages.addUser(message.content);
    else if (message.role === "tool") messages.addResult(message);
    else messages.addReply(message);
  }
  return messages.list;
}

class ChatMessages {
  readonly #model: string;
  readonly #vendor: Vendor;
  readonly list: ChatCompletionMessageParam[] = [];
  /** True if a tool was called since the user last spoke. */
  #hasCalled = false;

  constructor(model: string, vendor: Vendor) {
    this.#model = model;
    this.#vendor = vendor;
  }

  add(message: ChatCompletionMessageParam): void {
    this.list.push(message);
  }

  addPerson(content: Content[]): void {
    if (content.length === 0) return;
    this.#hasCalled = false;
    this.addUser(content);
  }

  addResult({ toolCallId, text }: Extract<ModelMessage, { role: "tool" }>): void {
    this.add({ role: "tool", tool_call_id: this.#idOf(toolCallId), content: text.toWellFormed() });
  }

  /** A reply with nothing to send, such as one cut off while thinking, is omitted. */
  addReply(reply: Reply): void {
    const place = { vendor: this.#vendor, model: this.#model, hadCalled: this.#hasCalled };
    this.#hasCalled ||= reply.parts.some(({ type }) => type === "tool_call");
    const known = sentReplies.get(reply);
    const sent =
      known && isSentSo(known, reply, place)
        ? known
        : { ...place, parts: [...reply.parts], message: this.#replyOf(reply) };
    if (sent !== known) sentReplies.set(reply, sent);
    if (sent.message) this.add(sent.message);
  }

  #replyOf(reply: Reply): ChatCompletionMessageParam | undefined {
    const calls = reply.parts.filter((part) => part.type === "tool_call");
    const text = textOf(reply.parts).toWellFormed();
    if (text === "" && calls.length === 0) return undefined;
    const isOwn = reply.provider === this.#vendor.id && reply.model === this.#model;
    return {
      role: "assistant",
      content: text === "" ? null : text,
      ...this.#thinkingOf(isOwn ? reply.parts : []),
      ...(calls.length > 0 && { tool_calls: calls.map((call, place) => this.#callOf(call, isOwn, place === 0)) }),
    };
  }

  addUser(content: Content[]): void {
    const isAfterResult = this.list.at(-1)?.role === "tool";
    if (isAfterResult && this.#vendor.quirks.assistantAfterTool) this.add({ role: "assistant", content: "OK." });
    this.add({ role: "user", content: contentOf(content) });
  }

  #thinkingOf(parts: readonly AgentPart[]): JsonRecord {
    const { thinkingBack } = this.#vendor.quirks;
    if (thinkingBack === "never") return {};
    const thinking = parts.filter((part) => part.type === "thinking").filter((part) => part.vendorData !== undefined);
    if (thinkingBack === undefined) return thinkingFields(thinking, parts);
    return this.#hasCalled ? { reasoning_content: thinkingText(thinking) } : {};
  }

  /**
   * Arguments that were not an object are sent as an empty one, because servers parse them; the result explains the
   * error.
   */
  #callOf(call: ToolCallPart, isOwn: boolean, isFirst: boolean): ChatCompletionMessageFunctionToolCall {
    const vendorData = isOwn && isRecord(call.vendorData) ? call.vendorData : undefined;
    const { foreignCall, foreignCallFor } = this.#vendor.quirks;
    const isUnsigned = vendorData === undefined && isFirst && (foreignCallFor?.test(this.#model) ?? true);
    const text = wellFormedJson(call.input ?? {});
    return {
      id: this.#idOf(call.toolCallId),
      type: "function",
      function: { name: sendableName(call.name), arguments: text },
      ...vendorData,
      ...(isUnsigned && foreignCall),
    };
  }

  #idOf(id: string): string {
    const length = this.#vendor.quirks.callIdLength;
    return length === undefined || (id.length === length && /^[a-z0-9]+$/i.test(id)) ? id : shortId(id, length);
  }
}

function isSentSo(sent: SentReply, { parts }: Reply, { vendor, model, hadCalled }: ReplyTarget): boolean {
  // A server on this machine has a copy of the row.
  if (sent.vendor.id !== vendor.id || sent.vendor.quirks !== vendor.quirks) return false;
  if (sent.model !== model || sent.hadCalled !== hadCalled) return false;
  // A call is updated in place with the tool's real name.
  return sent.parts.length === parts.length && parts.every((part, index) => part === sent.parts[index]);
}

function contentOf(content: Content[]): string | ChatCompletionContentPart[] {
  if (content.every((part) => part.type === "text")) {
    return content.map((part) => part.text.toWellFormed()).join("\n\n");
  }
  return content.map((part) =>
    part.type === "text"
      ? { type: "text", text: part.text.toWellFormed() }
      : { type: "image_url", image_url: { url: `data:${part.mimeType};base64,${part.data}` } },
  );
}

function thinkingFields(thinking: readonly ThinkingPart[], parts: readonly AgentPart[]): JsonRecord {
  const { field, details, extra } = asRecord(thinking[0]?.vendorData);
  switch (field) {
    case "reasoning_details":
      return { reasoning_details: details };
    case "reasoning_content":
    case "reasoning":
      return { [field]: thinkingText(thinking) };
    case "extra_content":
      return { extra_content: extra };
    case "content":
      return { content: parts.flatMap(contentParts) };
    default:
      return {};
  }
}

function thinkingText(thinking: readonly ThinkingPart[]): string {
  return thinking.map(({ text }) => text).join("\n\n");
}

/** Mistral's format of thinking and text (docs.mistral.ai, "Reasoning"). */
function contentParts(part: AgentPart): unknown[] {
  if (part.type === "tool_call" || part.text === "") return [];
  const text = { type: "text", text: part.text.toWellFormed() };
  return [part.type === "text" ? text : { type: "thinking", thinking: [text] }];
}
