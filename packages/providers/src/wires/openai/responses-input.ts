import type { ModelMessage, ModelRequest } from "@harness/core";
import type { AgentPart, Content, ThinkingPart, ToolCallPart } from "@harness/protocol";
import type { ResponseInputItem, ResponseInputMessageContentList } from "openai/resources/responses/responses";
import { asList, asRecord, asText, isRecord, type JsonRecord } from "../../json/lenient-json.ts";
import { sendableName, wellFormedJson } from "../request/sendable.ts";

/** The conversation as input items (API reference, "Create a model response", `input`). */
export function inputItems(request: ModelRequest, provider: string): unknown[] {
  return request.messages.flatMap((message) => {
    if (message.role === "user") return personItems(message.content);
    if (message.role === "tool") return [resultItem(message)];
    const isOwn = message.provider === provider && message.model === request.model;
    return replyItems(message.parts, isOwn);
  });
}

function personItems(content: Content[]): ResponseInputItem[] {
  return content.length > 0 ? [{ type: "message", role: "user", content: contentOf(content) }] : [];
}

function contentOf(content: Content[]): ResponseInputMessageContentList {
  return content.map((part) =>
    part.type === "text"
      ? { type: "input_text", text: part.text.toWellFormed() }
      : { type: "input_image", image_url: `data:${part.mimeType};base64,${part.data}`, detail: "auto" },
  );
}

function resultItem({ toolCallId, text, images = [] }: Extract<ModelMessage, { role: "tool" }>): ResponseInputItem {
  const words: Content[] = text === "" ? [] : [{ type: "text", text }];
  const output = images.length > 0 ? contentOf([...words, ...images]) : text.toWellFormed();
  return { type: "function_call_output", call_id: toolCallId, output };
}

/**
 * Reasoning items are refused if nothing follows them: they wait for the next item, and are dropped at the end of a
 * reply that was cut off.
 */
function replyItems(parts: AgentPart[], isOwn: boolean): unknown[] {
  const items: unknown[] = [];
  let thoughts: JsonRecord[] = [];
  let phase: JsonRecord = {};
  for (const part of parts) {
    if (part.type === "thinking") {
      if (!isOwn) continue;
      const thought = thoughtOf(part);
      if (thought) thoughts.push(thought);
      phase = phaseOf(part);
    } else if (part.type !== "text" || part.text !== "") {
      const item = part.type === "text" ? { ...textItem(part.text), ...phase } : callItem(part);
      items.push(...thoughts, item);
      thoughts = [];
      phase = {};
    }
  }
  return items;
}

function textItem(text: string): JsonRecord {
  return { type: "message", role: "assistant", content: [{ type: "output_text", text: text.toWellFormed() }] };
}

/**
 * Item ids are omitted, because the server stores nothing that they could refer to. Arguments that were not an object
 * are sent as an empty one; the result explains the error.
 */
function callItem(call: ToolCallPart): ResponseInputItem {
  return {
    type: "function_call",
    call_id: call.toolCallId,
    name: sendableName(call.name),
    arguments: wellFormedJson(call.input ?? {}),
  };
}

/** The reasoning item that `thoughtData` stored. */
function thoughtOf({ vendorData }: ThinkingPart): JsonRecord | undefined {
  const { reasoning } = asRecord(vendorData);
  return isRecord(reasoning) ? { type: "reasoning", ...reasoning } : undefined;
}

function phaseOf({ vendorData }: ThinkingPart): JsonRecord {
  const phase = asText(asRecord(vendorData).phase);
  return phase === "" ? {} : { phase };
}

/**
 * The part of a reasoning item that is sent back. The server stores none (`store` is false), so an item without
 * content, encrypted or not, would refer to nothing.
 */
export function thoughtData(item: JsonRecord): { reasoning: JsonRecord } | undefined {
  const { id, summary, content, encrypted_content: encrypted } = item;
  const isReadable = asList(content).length > 0;
  if (asText(encrypted) === "" && !isReadable) return undefined;
  const reasoning = {
    ...(typeof id === "string" && { id }),
    summary: asList(summary),
    ...(isReadable && { content }),
    ...(asText(encrypted) !== "" && { encrypted_content: encrypted }),
  };
  return { reasoning };
}
