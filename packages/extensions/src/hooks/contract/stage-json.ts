import {
  canonicalJson,
  EMPTY_DRAFT,
  type Reply,
  type RequestDraft,
  type StageName,
  type StageState,
  type Transition,
} from "@harness/core";
import { isRecord } from "@harness/host";
import { StopReason, type ToolCallPart, turnStages } from "@harness/protocol";
import type { JsonObject } from "./json-answer.ts";
import { messagesFromJson, messageToJson, toolsFromJson, toolToJson } from "./message-json.ts";
import { replyFromJson, replyToJson } from "./reply-json.ts";

export type AnyState = StageState<StageName>;
/** The same without the name of the next stage. */
type Value = AnyState extends infer S ? (S extends AnyState ? Omit<S, "nextState"> : never) : never;

/** Data that completes an answer. `from`: for a reply that a hook makes; `output`: the last text of the model. */
export type AnswerContext = { hook: string; from: Pick<Reply, "messageId" | "provider" | "model">; output: string };

type JsonResult<T> = T | { problem: string };

const STAGES: ReadonlySet<string> = new Set<StageName>(turnStages);

/** The value of a stage as its hooks get it on stdin. */
export function stateToJson(state: AnyState): JsonObject {
  const next = state.nextState === undefined ? {} : { next_state: state.nextState };
  return { ...valueToJson(state), ...next };
}

function valueToJson(state: AnyState): JsonObject {
  if ("toolCalls" in state) return { tool_calls: state.toolCalls.map(callToJson) };
  if ("reply" in state) return replyToJson(state.reply);
  if ("messages" in state) return draftToJson(state);
  if ("end" in state) return { output: state.output, stop_reason: state.end.stopReason };
  if ("error" in state) {
    const { kind, message } = state.error;
    return { error: message, error_type: kind, output: `error: ${message}` };
  }
  return {};
}

/** Parts that are not assembled yet are left out. */
function draftToJson({ model, system, messages, tools }: RequestDraft): JsonObject {
  return {
    ...(model !== "" && { model }),
    ...(system !== "" && { system }),
    ...(messages.length > 0 && { messages: messages.map(messageToJson) }),
    ...(tools.length > 0 && { tools: tools.map(toolToJson) }),
  };
}

function callToJson({ toolCallId, name, input, inputText }: ToolCallPart): JsonObject {
  return { id: toolCallId, name, input: input ?? inputText ?? {} };
}

/** The state after a hook's answer. An empty answer passes on the input; one that names no stage ends the turn. */
export function stateFromJson(
  answer: JsonObject,
  state: AnyState,
  context: AnswerContext,
): JsonResult<{ state: AnyState }> {
  if (Object.keys(answer).length === 0) return { state };
  const { next_state: next = "" } = answer;
  if (next === "" || next === null) {
    const value = valueFromJson(answer, state, context);
    return "problem" in value ? value : { state: value as AnyState };
  }
  if (typeof next !== "string" || !STAGES.has(next)) {
    return { problem: `names an unknown stage: ${JSON.stringify(next).slice(0, 80)}` };
  }
  return transition(next as StageName, answer, state, context);
}

function transition(
  next: StageName,
  answer: JsonObject,
  state: AnyState,
  context: AnswerContext,
): JsonResult<{ state: AnyState }> {
  const to = (value: Value | { problem: string }): JsonResult<{ state: AnyState }> =>
    "problem" in value ? value : { state: { ...value, nextState: next } as Transition };
  switch (next) {
    case "assemble":
      return to(EMPTY_DRAFT);
    case "send":
      return to(draftFrom(answer, "messages" in state ? state : EMPTY_DRAFT));
    case "receive":
      return to(replyFrom(answer, state, context));
    case "done":
      return to(endFrom(answer, state, context));
    case "error":
      return to(errorFrom(answer, state));
    case "tool_exec":
      if ("toolCalls" in state) return to(callsFrom(answer, state, context));
      return { problem: "names the stage tool_exec, but the reply has no calls" };
    default:
      if (next === state.nextState) return { state };
      return { problem: `names the stage ${next}, which cannot come next` };
  }
}

function valueFromJson(answer: JsonObject, state: AnyState, context: AnswerContext): Value | { problem: string } {
  if ("toolCalls" in state) return callsFrom(answer, state, context);
  if ("reply" in state) return replyFrom(answer, state, context);
  if ("messages" in state) return draftFrom(answer, state);
  if ("end" in state) return endFrom(answer, state, context);
  if ("error" in state) return errorFrom(answer, state);
  const { nextState: _, ...value } = state;
  return value;
}

/** Fields that a hook does not name stay as they were. */
function draftFrom(answer: JsonObject, before: RequestDraft): JsonResult<RequestDraft> {
  const { model = before.model } = answer;
  if (typeof model !== "string") return { problem: "its model is not a string" };
  const system = answer.system === undefined ? before.system : textFrom(answer.system);
  if (system === undefined) return { problem: "its system text is not a string" };
  const read = answer.messages === undefined ? before : messagesFromJson(answer.messages, before.messages);
  if ("problem" in read) return read;
  const offered = answer.tools === undefined ? before : toolsFromJson(answer.tools, before.tools);
  if ("problem" in offered) return offered;
  return { model, system, messages: read.messages, tools: offered.tools };
}

/** A text, or the text blocks that an API accepts in its place. */
function textFrom(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return undefined;
  const texts = value.map((block) => (isRecord(block) && typeof block.text === "string" ? block.text : undefined));
  return texts.includes(undefined) ? undefined : texts.join("\n\n");
}

function replyFrom(answer: JsonObject, state: AnyState, { from }: AnswerContext): JsonResult<{ reply: Reply }> {
  return replyFromJson(answer, "reply" in state ? state.reply : undefined, from);
}

type Calls = Extract<AnyState, { toolCalls: unknown }>;

/**
 * Calls that a hook has changed, or removed: these are answered all the same, because every call of a reply is. None
 * can be added: the reply is in the log.
 */
function callsFrom(answer: JsonObject, state: Calls, { hook }: AnswerContext): Value | { problem: string } {
  const { nextState: _, ...value } = state;
  const { tool_calls: wanted } = answer;
  if (wanted === undefined) return value;
  if (!Array.isArray(wanted)) return { problem: "its tool_calls are not a list" };
  const byId = new Map(wanted.map((each) => [isRecord(each) ? each.id : undefined, each]));
  const known = new Set<unknown>(state.toolCalls.map(({ toolCallId }) => toolCallId));
  if ([...byId.keys()].some((id) => !known.has(id)))
    return { problem: "its tool_calls contain one that is not in the reply" };
  const refused: Record<string, string> = { ...state.refused };
  const toolCalls: ToolCallPart[] = [];
  for (const part of state.toolCalls) {
    const { toolCallId } = part;
    if (!byId.has(toolCallId)) refused[toolCallId] ??= `is refused: the hook ${hook} removed it`;
    const changed = byId.has(toolCallId) ? changedCall(part, callToJson(part), byId.get(toolCallId)) : part;
    if (!changed) return { problem: `its call ${toolCallId} has no name or no input` };
    toolCalls.push(changed);
  }
  return { ...value, toolCalls, refused };
}

/** A call as a hook passes it on; `before`: as it was given. Undefined if it is not a call. */
export function changedCall(part: ToolCallPart, before: JsonObject, answer: unknown): ToolCallPart | undefined {
  if (!isRecord(answer)) return undefined;
  const { name, input } = answer;
  if (name === before.name && canonicalJson(input) === canonicalJson(before.input)) return part;
  if (typeof name !== "string" || !isRecord(input)) return undefined;
  const { inputText: _, ...rest } = part;
  return { ...rest, name, input };
}

function endFrom(answer: JsonObject, state: AnyState, { output }: AnswerContext): Value {
  const before = "end" in state ? state : undefined;
  const text = typeof answer.output === "string" ? answer.output : (before?.output ?? output);
  const reason = StopReason.safeParse(answer.stop_reason);
  return { end: before?.end ?? { stopReason: reason.success ? reason.data : "end_turn" }, output: text };
}

function errorFrom(answer: JsonObject, state: AnyState): Value {
  const before = "error" in state ? state.error : undefined;
  const input = before === undefined ? undefined : valueToJson(state);
  const { error, output } = answer;
  const isOther = (text: unknown, old: unknown): text is string => typeof text === "string" && text !== old;
  const message = isOther(output, input?.output)
    ? output.replace(/^error: /, "")
    : isOther(error, input?.error)
      ? error
      : (before?.message ?? "A hook ended the turn.");
  return { error: { ...(before ?? { kind: "hook" }), message } };
}
