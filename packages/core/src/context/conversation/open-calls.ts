import { type AgentPart, type ToolCallPart, textOf } from "@harness/protocol";
import type { ModelMessage } from "../../ports/provider.ts";

/** A reply's calls while results are missing. `calls` maps call ids to indexes of the message's parts. */
export type OpenCalls = {
  seq: number;
  parts: AgentPart[];
  calls: ReadonlyMap<string, number>;
  answers: Map<string, ModelMessage>;
};

const LOST_RESULT = "interrupted: its result is lost. It is unknown whether it ran; look before you do it again.";

export function callsIn(parts: readonly AgentPart[]): Map<string, number> {
  return new Map(
    parts.flatMap((part, index) => (part.type === "tool_call" ? [[part.toolCallId, index] as const] : [])),
  );
}

export function openCall(
  open: OpenCalls | undefined,
  toolCallId: string,
): { parts: AgentPart[]; index: number; part: ToolCallPart } | undefined {
  const { parts, calls } = open ?? {};
  const index = calls?.get(toolCallId) ?? -1;
  const part = parts?.[index];
  return parts && part?.type === "tool_call" ? { parts, index, part } : undefined;
}

/** One result per call, in the order of the calls. */
export function resultsOf({ parts, answers }: OpenCalls): ModelMessage[] {
  return parts.flatMap((part): ModelMessage[] => {
    if (part.type !== "tool_call") return [];
    const { toolCallId, name } = part;
    return [answers.get(toolCallId) ?? { role: "tool", toolCallId, name, text: LOST_RESULT, isError: true }];
  });
}

/** True if a reply says anything besides its thoughts and calls. */
export function hasText(parts: readonly AgentPart[]): boolean {
  return textOf(parts).trim() !== "";
}
