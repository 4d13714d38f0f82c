import type { ModelMessage, ModelRequest } from "@harness/core";
import { type AgentPart, type Content, isSendableImage, type ThinkingPart, textOf } from "@harness/protocol";
import { asRecord, asText } from "../../json/lenient-json.ts";
import { sendableName } from "../request/sendable.ts";
import { sendableId } from "../request/short-id.ts";

/** A block of the API's own format. */
export type AnthropicBlock = { type: string; [field: string]: unknown };
export type AnthropicMessage = { role: "user" | "assistant"; content: AnthropicBlock[] };

/**
 * The conversation as the API requires it: roles alternate, all results of a reply come first in the very next message,
 * no text is empty, and thinking is only included if the same model of the same vendor wrote and signed it.
 */
export function turnsOf({ messages, model }: ModelRequest, provider: string): AnthropicMessage[] {
  const turns = new Turns();
  const found = messages.findIndex((message) => message.role === "user" && blocksOf(message.content).length > 0);
  const begin = found < 0 ? messages.length : found;
  turns.add("user", messages.slice(0, begin).flatMap(openingOf));
  for (const message of messages.slice(begin)) {
    if (message.role === "user") turns.add("user", blocksOf(message.content));
    else if (message.role === "tool") turns.addResult(message);
    else turns.add("assistant", replyOf(message.parts, message.provider === provider && message.model === model));
  }
  return turns.list;
}

/** The same without the model's thinking. */
export function withoutThinking(turns: AnthropicMessage[]): AnthropicMessage[] {
  return turns.map(({ role, content }) => ({ role, content: content.filter((block) => !isThinking(block)) }));
}

/**
 * True if the model may think within a budget. While it uses tools, that is only if the reply with which it began to
 * use them starts with thinking; that reply may be from another vendor (docs, "Extended thinking with tool use").
 */
export function mayThinkOn(turns: readonly AnthropicMessage[]): boolean {
  let last = turns.length - 1;
  if (!hasResults(turns[last])) return true;
  while (last >= 2 && hasResults(turns[last - 2])) last -= 2;
  const first = turns[last - 1]?.content[0];
  return first !== undefined && isThinking(first);
}

function hasResults(turn: AnthropicMessage | undefined): boolean {
  return turn?.content[0]?.type === "tool_result";
}

function isThinking({ type }: AnthropicBlock): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

class Turns {
  readonly list: AnthropicMessage[] = [];
  /** The number of results in the last message. */
  #results = 0;

  /** Neighbours of one role become a single message, and empty blocks none. */
  add(role: AnthropicMessage["role"], blocks: AnthropicBlock[]): void {
    if (blocks.length > 0) this.#last(role).content.push(...blocks);
  }

  addResult(message: Extract<ModelMessage, { role: "tool" }>): void {
    const content = blocksOf([{ type: "text", text: message.text }, ...(message.images ?? [])]);
    const last = this.#last("user");
    last.content.splice(this.#results, 0, {
      type: "tool_result",
      tool_use_id: sendableId(message.toolCallId),
      ...(content.length > 0 && { content }),
      // A result marked as an error may contain text only.
      ...(message.isError && content.every((block) => block.type === "text") && { is_error: true }),
    });
    this.#results += 1;
  }

  #last(role: AnthropicMessage["role"]): AnthropicMessage {
    const last = this.list.at(-1);
    if (last?.role === role) return last;
    const turn: AnthropicMessage = { role, content: [] };
    this.list.push(turn);
    this.#results = 0;
    return turn;
  }
}

/** A conversation must begin with the user: earlier text is attributed to the user, without calls. */
function openingOf(message: ModelMessage): AnthropicBlock[] {
  if (message.role === "user") return [];
  return message.role === "tool" ? textBlocks(message.text) : textBlocks(textOf(message.parts));
}

/** Thoughts may be neither the last part of a reply nor all of it. */
function replyOf(parts: readonly AgentPart[], isOwn: boolean): AnthropicBlock[] {
  const blocks = parts.flatMap((part): AnthropicBlock[] => {
    if (part.type === "text") return textBlocks(part.text);
    if (part.type === "thinking") return isOwn ? thoughtOf(part) : [];
    const { toolCallId, name, input } = part;
    return [{ type: "tool_use", id: sendableId(toolCallId), name: sendableName(name), input: input ?? {} }];
  });
  return blocks.slice(0, blocks.findLastIndex((block) => !isThinking(block)) + 1);
}

/** Sent back unchanged, because the signature covers it. Without a signature it would be refused. */
function thoughtOf({ text, signature, vendorData }: ThinkingPart): AnthropicBlock[] {
  if (signature) return [{ type: "thinking", thinking: text, signature }];
  const { type, data } = asRecord(vendorData);
  return type === "redacted_thinking" ? [{ type, data: asText(data) }] : [];
}

function blocksOf(content: readonly Content[]): AnthropicBlock[] {
  return content.flatMap((part): AnthropicBlock[] => {
    if (part.type === "text") return textBlocks(part.text);
    const { mimeType, data } = part;
    if (!isSendableImage(mimeType)) return textBlocks(`(An image is left out: this model cannot see ${mimeType}.)`);
    return [{ type: "image", source: { type: "base64", media_type: mimeType, data } }];
  });
}

/** Text of only white space is refused. */
function textBlocks(text: string): AnthropicBlock[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}
