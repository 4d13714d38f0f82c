import { type AgentPart, type Fact, type ToolOutcome, textOf, type UpdateOf } from "@harness/protocol";
import type { SavedMessage, SavedStop } from "./saved-message.ts";

/** The state of the conversation that the meaning of its next facts depends on. */
export type TalkState = {
  /** The names of calls without a result, by their ids. */
  readonly open: ReadonlyMap<string, string>;
  /** Calls that have started before their reply was complete, and their results. */
  readonly early: { messageId: string; ids: ReadonlySet<string>; results: readonly SavedMessage[] } | undefined;
  /** A reply that was cut short: it stays where a person has stopped it. */
  readonly cut: SavedMessage | undefined;
};

export const emptyTalk: TalkState = { open: new Map(), early: undefined, cut: undefined };

type Next = { state: TalkState; messages: SavedMessage[] };

const stops: Record<UpdateOf<"agent_message">["stop"], SavedStop> = {
  end: "end",
  tool_calls: "tool_calls",
  length: "length",
  refusal: "error",
  cut: "error",
};

/** The messages that a fact of the main agent adds to its conversation, as the model gets them. Changes nothing. */
export function nextMessages(state: TalkState, update: Fact): Next {
  switch (update.sessionUpdate) {
    case "user_message": {
      const { content, attached = [], origin, fromAgentId, kind } = update;
      const from = { ...(fromAgentId === undefined ? {} : { fromAgentId }), ...(kind === undefined ? {} : { kind }) };
      return { state, messages: [{ role: "user", content, attached, origin, ...from }] };
    }
    case "agent_message":
      return withReply(state, update);
    case "early_call":
      return { state: { ...state, early: withEarly(state.early, update) }, messages: [] };
    case "tool_call_update":
      return update.outcome && !update.byPerson
        ? withResult(state, update, update.outcome)
        : { state: named(state, update), messages: [] };
    case "rewind_update":
      return { state: update.fromSeq === undefined && update.redoOf === undefined ? state : emptyTalk, messages: [] };
    case "state_update":
      if (update.state !== "idle" || !state.cut) return { state, messages: [] };
      return {
        state: { ...state, cut: undefined },
        messages: update.stopReason === "cancelled" ? [state.cut] : [],
      };
    default:
      return { state, messages: [] };
  }
}

function withReply({ early: known }: TalkState, update: UpdateOf<"agent_message">): Next {
  const { messageId, parts: all, stop, provider, model, usage } = update;
  const early = known?.messageId === messageId ? known : undefined;
  const parts = (stop === "cut" ? wholeParts(all, early?.ids) : all).filter(
    (part) => part.type !== "text" || part.text !== "",
  );
  const calls = parts.flatMap((part) => (part.type === "tool_call" ? [[part.toolCallId, part.name] as const] : []));
  const spent = usage === undefined ? {} : { usage };
  const ended = calls.length > 0 ? "tool_calls" : stop === "tool_calls" ? "end" : stops[stop];
  const reply: SavedMessage = { role: "assistant", parts, stop: ended, provider, model, ...spent };
  const hasText = textOf(parts).trim() !== "";
  if (calls.length === 0 && (stop === "cut" || !hasText)) {
    return { state: { ...emptyTalk, cut: stop === "cut" && hasText ? reply : undefined }, messages: [] };
  }
  let state: TalkState = { ...emptyTalk, open: new Map(calls) };
  const messages: SavedMessage[] = [reply];
  for (const result of early?.results ?? []) {
    if (result.role !== "tool_result" || !state.open.has(result.callId)) continue;
    messages.push(result);
    state = answered(state, result.callId);
  }
  return { state, messages };
}

/** Of a reply that was cut short, thoughts and calls that have not started may be incomplete. */
function wholeParts(parts: readonly AgentPart[], early: ReadonlySet<string> | undefined): AgentPart[] {
  return parts.filter(({ type, ...part }) => {
    if (type === "tool_call") return "toolCallId" in part && early?.has(part.toolCallId) === true;
    return type === "text";
  });
}

function withEarly(early: TalkState["early"], { messageId, call }: UpdateOf<"early_call">): TalkState["early"] {
  const known = early?.messageId === messageId ? early : { messageId, ids: new Set<string>(), results: [] };
  return { ...known, ids: new Set([...known.ids, call.toolCallId]) };
}

function withResult(
  state: TalkState,
  { toolCallId: callId, name }: UpdateOf<"tool_call_update">,
  outcome: ToolOutcome,
): Next {
  const { text, status, images = [] } = outcome;
  const pictures = images.filter((part) => part.type === "image");
  const tool = name ?? state.open.get(callId) ?? "";
  const result: SavedMessage = { role: "tool_result", callId, tool, text, images: pictures, status };
  if (state.early?.ids.has(callId) === true && !state.open.has(callId)) {
    const early = { ...state.early, results: [...state.early.results, result] };
    return { state: { ...state, early }, messages: [] };
  }
  if (!state.open.has(callId)) return { state, messages: [] };
  return { state: answered(state, callId), messages: [result] };
}

function answered(state: TalkState, callId: string): TalkState {
  const open = new Map(state.open);
  open.delete(callId);
  return { ...state, open };
}

/** With the tool's real name, where the model wrote a different name. */
function named(state: TalkState, { toolCallId, name }: UpdateOf<"tool_call_update">): TalkState {
  if (name === undefined || !state.open.has(toolCallId)) return state;
  return { ...state, open: new Map([...state.open, [toolCallId, name]]) };
}
