import type { ModelEvent, ModelRequest } from "@harness/core";
import type { AgentPart, RepairKind, ToolCallPart } from "@harness/protocol";
import { idsIn } from "../../wires/reply/call-ids.ts";
import type { TextCall } from "../calls/text-call.ts";
import { isRepeated } from "../repeats/repeated-call.ts";
import { type ReadOptions, readTextCalls, type TextCalls } from "../scan/read-text-calls.ts";
import { beginsWithThinking, leakedThinking } from "../thinking/leaked-thinking.ts";
import { repairedValues } from "../values/json-value.ts";

type End = Extract<ModelEvent, { type: "end" }>;
type Repair = Extract<ModelEvent, { type: "repair" }>;

/** A reply as it should have arrived, and the repairs that were made. */
export type RepairedReply = { end: End; repairs: Repair[] };

/**
 * Extracts thinking and calls from the text of a reply. `kind` names a found call for people; every kind except
 * `text_call` means that the model was asked to write text.
 */
export function repairedReply(end: End, request: ModelRequest, kind: RepairKind): RepairedReply {
  const thinking = dropThinking(end);
  const hasCalls = end.parts.some((part) => part.type === "tool_call");
  const isSilent = hasCalls || end.stop === "cut" || end.stop === "refusal";
  const options = { isTextAsked: kind !== "text_call", aliases: request.toolAliases };
  const found = isSilent
    ? undefined
    : (lastCalls(thinking.parts, request, options) ?? callsInThinking(thinking.parts, request, options));
  if (!found) return { end: { ...end, parts: thinking.parts }, repairs: thinking.repairs };
  const ids = newIds(request);
  const calls = found.calls.map((call) => partOf(call, ids));
  const parts = thinking.parts.flatMap((part, index) =>
    index === found.index ? partsWithoutCalls(found, part) : [part],
  );
  const repairs = calls.map((part, index): Repair => {
    return { type: "repair", what: kind, toolCallId: part.toolCallId, detail: detailOf(found.calls[index], part) };
  });
  repairs.push(...jsonRepairs(calls, found));
  if (found.thinking) repairs.unshift(LEAK);
  const stop = calls.length > 0 && end.stop === "end" ? "tool_calls" : end.stop;
  return { end: { ...end, parts: [...parts, ...calls], stop }, repairs: [...thinking.repairs, ...repairs] };
}

/** Repairs for calls whose JSON was invalid. */
function jsonRepairs(calls: readonly ToolCallPart[], { whole, text }: FoundCalls): Repair[] {
  const values = repairedValues(whole, whole.startsWith(text) ? text.length : 0);
  return calls.flatMap(({ name, input, toolCallId }): Repair[] => {
    const json = JSON.stringify(input ?? {});
    if (!values.some((value) => value.includes(json))) return [];
    const detail = `The JSON of the call to ${name} was not valid; harness repaired it.`;
    return [{ type: "repair", what: "arguments", toolCallId, detail }];
  });
}

const LEAK: Repair = {
  type: "repair",
  what: "leaked_thinking",
  detail: "The model's thinking was inside its text; harness removed it.",
};

/** Removes only thoughts from the text of a reply. */
export function dropThinking({ parts, stop }: Pick<End, "parts" | "stop">): {
  parts: AgentPart[];
  repairs: Repair[];
} {
  const index = parts.findIndex((part) => part.type === "text");
  const part = parts[index];
  const goesOn = stop !== "end" || parts.some((each) => each.type === "tool_call");
  const leaked = part?.type === "text" ? leakedThinking(part.text, { goesOn }) : undefined;
  if (!leaked) return { parts: [...parts], repairs: [] };
  const instead: AgentPart[] = [
    ...(leaked.thinking === "" ? [] : [{ type: "thinking" as const, text: leaked.thinking }]),
    ...(leaked.text === "" ? [] : [{ type: "text" as const, text: leaked.text }]),
  ];
  return { parts: parts.toSpliced(index, 1, ...instead), repairs: leaked.thinking === "" ? [] : [LEAK] };
}

/** `whole`: the text that the calls were found in, at `index` of the parts. */
type FoundCalls = TextCalls & { index: number; whole: string };

/** Only the last text counts as the end of the message. */
function lastCalls(parts: readonly AgentPart[], request: ModelRequest, options: ReadOptions): FoundCalls | undefined {
  const index = parts.findLastIndex((part) => part.type === "text");
  const part = parts[index];
  // Thinking that is still in the text has no known end.
  if (part?.type !== "text" || beginsWithThinking(part.text)) return undefined;
  const found = readTextCalls(part.text, request.tools, options);
  return found && !isRepeated(found.calls, request) ? { ...found, index, whole: part.text } : undefined;
}

/**
 * The calls at the end of the thinking, in a reply that consists only of thinking: some models forget to close their
 * thinking before they call. They must be complete. Signed thinking stays as it is.
 */
function callsInThinking(
  parts: readonly AgentPart[],
  request: ModelRequest,
  options: ReadOptions,
): FoundCalls | undefined {
  if (parts.some((part) => part.type !== "thinking" && (part.type !== "text" || part.text.trim() !== "")))
    return undefined;
  const index = parts.findLastIndex((part) => part.type === "thinking");
  const part = parts[index];
  if (part?.type !== "thinking" || part.signature !== undefined) return undefined;
  const found = readTextCalls(part.text, request.tools, options);
  if (!found || found.calls.some((call) => call.cut) || isRepeated(found.calls, request)) return undefined;
  return { ...found, index, whole: part.text };
}

function partsWithoutCalls({ thinking, text }: TextCalls, part: AgentPart): AgentPart[] {
  if (part.type === "thinking") {
    const left = [thinking, text].filter(Boolean).join("\n\n");
    return left === "" && part.vendorData === undefined ? [] : [{ ...part, text: left }];
  }
  return [
    ...(thinking ? [{ type: "thinking" as const, text: thinking }] : []),
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
  ];
}

function partOf({ name, input, inputText }: TextCall, ids: Iterator<string, never>): ToolCallPart {
  const args = input ? { input } : { inputText: inputText ?? "" };
  return { type: "tool_call", toolCallId: ids.next().value, name, ...args, foundInText: true };
}

function detailOf(call: TextCall | undefined, { name }: ToolCallPart): string {
  const form = call?.form ?? "";
  if (call?.cut)
    return `The call to ${name} was written as text (form ${form}) and ends in the middle of its arguments.`;
  return `The call to ${name} was written as text (form ${form}); harness read it.`;
}

/** Ids that no call of the conversation has: numbered, so that the same conversation gives the same ones. */
export function* newIds(request: ModelRequest): Generator<string, never> {
  const taken = idsIn(request);
  for (let number = taken.size + 1; ; number += 1) {
    const id = `call_text_${number}`;
    if (!taken.has(id)) yield id;
  }
}
