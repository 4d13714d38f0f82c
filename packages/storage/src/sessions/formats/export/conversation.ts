import {
  type AgentPart,
  type Content,
  type ImagePart,
  ROOT_AGENT,
  type StoredFact,
  type ToolOutcome,
  textOf,
  type UpdateOf,
} from "@harness/protocol";
import { type ExportedAgent, type ExportSource, exportedFacts, hiddenBy } from "./export-source.ts";

/** A piece of a conversation as people read it. */
export type Entry = { readonly at: string } & (
  | { kind: "message"; from: "person" | "subagent" | "agent"; text: string; images: ImagePart[] }
  | { kind: "reply"; text: string; thoughts: string; model: string; isCut: boolean }
  /** Without an outcome: it had not ended. */
  | { kind: "call"; name: string; title: string; byPerson: boolean; outcome: ToolOutcome | undefined }
  | { kind: "subagent"; agentId: string; name: string | undefined; task: string; output: string | undefined }
  | { kind: "summary"; text: string }
  | { kind: "note"; title: string; description: string | undefined }
);

type Call = { at: string; name: string; title: string; byPerson: boolean };
/** Calls that have not ended, and messages that bring what a subagent's entry has. */
type Open = { calls: Map<string, Call>; results: Set<string> };

/** The conversation of an agent, without what a rewind has hidden. A call comes when it has ended. */
export function* conversationOf(source: ExportSource, agent?: ExportedAgent): Generator<Entry, void> {
  const wanted = agent?.agentId ?? ROOT_AGENT;
  const isHidden = hiddenBy(source);
  const open: Open = { calls: new Map(), results: new Set() };
  const range = agent ? { after: agent.after, before: agent.before } : {};
  for (const fact of exportedFacts(source, range)) {
    if (fact.agentId !== wanted || isHidden(fact)) continue;
    yield* entriesOf(fact, open);
  }
  for (const call of open.calls.values()) yield { kind: "call", ...call, outcome: undefined };
}

function* entriesOf({ at, update }: StoredFact, { calls, results }: Open): Generator<Entry, void> {
  switch (update.sessionUpdate) {
    case "user_message":
      if (update.origin !== "harness" && !results.has(update.messageId)) yield { at, ...messageOf(update) };
      return;
    case "agent_message":
      yield { at, ...replyOf(update) };
      return;
    case "tool_call_update":
      yield* callOf(at, update, calls);
      return;
    case "subagent_update": {
      if (update.state === "running") return;
      if (update.resultId !== undefined) results.add(update.resultId);
      const { childAgentId: agentId, name, task, output } = update;
      yield { at, kind: "subagent", agentId, name, task, output };
      return;
    }
    case "compaction_update":
      yield { at, kind: "summary", text: update.summary };
      return;
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

function* callOf(at: string, update: UpdateOf<"tool_call_update">, calls: Map<string, Call>): Generator<Entry, void> {
  const { toolCallId, outcome } = update;
  const before = calls.get(toolCallId);
  const name = update.name ?? before?.name ?? "";
  const call = {
    at: before?.at ?? at,
    name,
    title: update.title ?? before?.title ?? name,
    byPerson: update.byPerson !== undefined || before?.byPerson === true,
  };
  if (!outcome) {
    calls.set(toolCallId, call);
    return;
  }
  calls.delete(toolCallId);
  yield { kind: "call", ...call, outcome };
}
