import type { AgentPart, ToolOutcome, UpdateOf } from "@harness/protocol";

/** Calls that started before their reply was complete, with their names and results. */
export type EarlyCallRecords = {
  messageId: string;
  ids: Set<string>;
  names: Map<string, string>;
  outcomes: Map<string, ToolOutcome>;
};

export function withEarlyCall(
  early: EarlyCallRecords | undefined,
  { messageId, call }: UpdateOf<"early_call">,
): EarlyCallRecords {
  const of =
    early?.messageId === messageId
      ? early
      : { messageId, ids: new Set<string>(), names: new Map(), outcomes: new Map() };
  of.ids.add(call.toolCallId);
  return of;
}

/** The usable parts of an interrupted reply. Thoughts may be incomplete, and so may calls unless they have started. */
export function wholeParts(parts: readonly AgentPart[], early: EarlyCallRecords | undefined): AgentPart[] {
  return parts.filter(
    (part) => part.type === "text" || (part.type === "tool_call" && early?.ids.has(part.toolCallId) === true),
  );
}
