import {
  type AgentPart,
  type AgentRun,
  type Content,
  goalNotice,
  type ImagePart,
  ROOT_AGENT,
  type StopReason,
  type StoredFact,
  type ToolOutcome,
  textOf,
  type UpdateOf,
} from "@harness/protocol";
import { type ExportedAgent, type ExportSource, exportedFacts, hiddenBy } from "./export-source.ts";

/** A piece of a conversation, for people to read. */
export type Entry = { readonly at: string } & (
  | { kind: "message"; from: "person" | "subagent" | "agent"; text: string; images: ImagePart[] }
  | { kind: "reply"; text: string; thoughts: string; model: string; isCut: boolean }
  /** Without an outcome: the call had not ended. */
  | { kind: "call"; name: string; title: string; byPerson: boolean; outcome: ToolOutcome | undefined }
  | {
      kind: "subagent";
      agentId: string;
      name: string | undefined;
      task: string;
      state: AgentRun;
      output: string | undefined;
    }
  | { kind: "summary"; text: string }
  | { kind: "note"; title: string; description: string | undefined }
  /** A turn that ended without a last message of the model. */
  | { kind: "end"; sentence: string | undefined; output: string | undefined }
);

type Call = { at: string; name: string; title: string; byPerson: boolean };
type Open = {
  /** Calls that have not ended. */
  calls: Map<string, Call>;
  /** Of all calls, because a change of files may repeat some. */
  titles: Map<string, string>;
  /** Messages that repeat what a subagent's entry says. */
  results: Set<string>;
  /** Subagents whose end has been shown, and the results of the calls that started them. */
  ended: Set<string>;
  outputs: Map<string, string>;
};

/** An agent's conversation without the parts hidden by a rewind. A call appears when it has ended. */
export function* conversationOf(source: ExportSource, agent?: ExportedAgent): Generator<Entry, void> {
  const wanted = agent?.agentId ?? ROOT_AGENT;
  const isHidden = hiddenBy(source);
  const open: Open = { calls: new Map(), titles: new Map(), results: new Set(), ended: new Set(), outputs: new Map() };
  const range = agent ? { after: agent.after, before: agent.before } : {};
  for (const fact of exportedFacts(source, range)) {
    if (fact.agentId !== wanted) continue;
    noteTitle(fact, open);
    if (isHidden(fact)) continue;
    yield* entriesOf(fact, open);
  }
  for (const call of open.calls.values()) yield { kind: "call", ...call, outcome: undefined };
}

function noteTitle({ update }: StoredFact, { titles }: Open): void {
  if (update.sessionUpdate !== "tool_call_update" || update.title === undefined) return;
  titles.set(update.toolCallId, update.title);
}

function* entriesOf({ at, update }: StoredFact, open: Open): Generator<Entry, void> {
  switch (update.sessionUpdate) {
    case "user_message":
      if (update.origin !== "harness" && !open.results.has(update.messageId)) yield { at, ...messageOf(update) };
      return;
    case "agent_message":
      yield { at, ...replyOf(update) };
      return;
    case "tool_call_update":
      yield* callOf(at, update, open);
      return;
    case "subagent_update":
      yield* subagentOf(at, update, open);
      return;
    case "compaction_update":
      yield { at, kind: "summary", text: update.summary };
      return;
    case "state_update":
      yield* endOf(at, update);
      return;
    case "goal_update": {
      const shown = goalNotice(update);
      if (shown) yield { at, kind: "note", title: shown.title, description: shown.description };
      return;
    }
    case "notice":
    case "rewind_update":
      if (update.title !== undefined) yield { at, kind: "note", title: update.title, description: update.description };
      return;
    default:
      return;
  }
}

function messageOf({ origin, content, attached = [] }: UpdateOf<"user_message">) {
  const from =
    origin === "user" ? ("person" as const) : origin === "agent" ? ("agent" as const) : ("subagent" as const);
  return {
    kind: "message" as const,
    from,
    text: textOf(content),
    images: [...imagesOf(content), ...imagesOf(attached)],
  };
}

function imagesOf(content: readonly Content[]): ImagePart[] {
  return content.filter((part) => part.type === "image");
}

function replyOf({ parts, model, stop }: UpdateOf<"agent_message">) {
  const thoughts = thoughtsOf(parts);
  return { kind: "reply" as const, text: textOf(parts), thoughts, model, isCut: stop === "cut" };
}

export function thoughtsOf(parts: readonly AgentPart[]): string {
  return parts.flatMap((part) => (part.type === "thinking" && part.text !== "" ? [part.text] : [])).join("\n\n");
}

function* callOf(at: string, update: UpdateOf<"tool_call_update">, open: Open): Generator<Entry, void> {
  const { calls, outputs, titles } = open;
  const { toolCallId, outcome } = update;
  const before = calls.get(toolCallId);
  const name = update.name ?? before?.name ?? "";
  const call = {
    at: before?.at ?? at,
    name,
    title: update.title ?? before?.title ?? titles.get(toolCallId) ?? name,
    byPerson: update.byPerson !== undefined || before?.byPerson === true,
  };
  if (!outcome) {
    calls.set(toolCallId, call);
    return;
  }
  calls.delete(toolCallId);
  // The subagent's own entry shows the same result.
  if (outcome.status === "ok" && outputs.get(toolCallId)?.trim() === outcome.text.trim()) return;
  yield { kind: "call", ...call, outcome };
}

/** Once per run: the fact is repeated when the changes are applied. */
function* subagentOf(
  at: string,
  { childAgentId: agentId, state, toolCallId, resultId, name, task, output }: UpdateOf<"subagent_update">,
  { results, ended, outputs }: Open,
): Generator<Entry, void> {
  if (state === "running") {
    ended.delete(agentId);
    return;
  }
  if (resultId !== undefined) results.add(resultId);
  if (ended.has(agentId)) return;
  ended.add(agentId);
  if (toolCallId !== undefined && output !== undefined) outputs.set(toolCallId, output);
  yield { at, kind: "subagent", agentId, name, task, state, output };
}

const ENDINGS: Readonly<Record<Exclude<StopReason, "end_turn">, string>> = {
  max_tokens: "The answer reached the longest length that the model allows.",
  max_turn_requests: "The turn reached its limit of requests.",
  budget: "The turn reached its budget.",
  refusal: "The model refused to answer.",
  cancelled: "The turn was stopped.",
  error: "The turn failed.",
  interrupted: "harness ended during this turn.",
  loop: "The turn was stopped because it repeated itself.",
};

/** Why a turn ended early, as a sentence; undefined if it did not. */
export function endingOf({ stopReason, error }: UpdateOf<"state_update">): string | undefined {
  if (stopReason === undefined || stopReason === "end_turn") return error?.message;
  return error === undefined ? ENDINGS[stopReason] : `${ENDINGS[stopReason]} ${error.message}`;
}

function* endOf(at: string, update: UpdateOf<"state_update">): Generator<Entry, void> {
  const sentence = endingOf(update);
  const { output } = update;
  if (sentence !== undefined || output) yield { at, kind: "end", sentence, output };
}
