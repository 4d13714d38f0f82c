// The state of what an agent streams, assembled from chunks.
import type { SessionUpdate, UpdateOf } from "../vocabulary/updates.ts";

export type DeltaOutcome = "applied" | "duplicate" | "gap";

/** A partly streamed reply; removed when the fact that completes it arrives. */
export type LiveReply = {
  messageId: string;
  text: string;
  thinking: string;
  /** Arguments being written, by call id. */
  inputs: Map<string, { name: string; text: string }>;
};

/** The state of a request before its reply; removed at the first chunk of the reply. */
export type RequestStatus = UpdateOf<"request_status">;

/** The progress of a running compaction. */
type CompactionStatus = UpdateOf<"compaction_status">;

/** The streaming part of an agent's state. */
export type StreamingState = {
  compaction?: CompactionStatus;
  live?: LiveReply;
  status?: RequestStatus;
  /** Output of running calls, by call id. */
  output: Map<string, string>;
};

/** Applies a chunk to the agent; a gap changes nothing. */
export function applyDelta(agent: StreamingState, { update }: Pick<SessionUpdate, "update">): DeltaOutcome {
  if (update.sessionUpdate === "tool_output_chunk") {
    const have = agent.output.get(update.toolCallId) ?? "";
    const text = grow(have, update.offset, update.text);
    if (typeof text === "string") agent.output.set(update.toolCallId, text);
    return typeof text === "string" ? "applied" : text.dropped;
  }
  if (update.sessionUpdate === "request_status") return takeStatus(agent, update);
  if (update.sessionUpdate === "compaction_status") {
    if (update.phase === "ended") delete agent.compaction;
    else agent.compaction = update;
    return "applied";
  }
  if (!("messageId" in update && "offset" in update)) return "applied";
  if (agent.live?.messageId !== update.messageId) {
    if (update.offset > 0) return "gap";
    agent.live = { messageId: update.messageId, text: "", thinking: "", inputs: new Map() };
  }
  delete agent.status;
  return appendLive(agent.live as LiveReply, update);
}

/** The latest status counts; text of an earlier request is discarded. */
function takeStatus(agent: StreamingState, status: RequestStatus): DeltaOutcome {
  if (status.phase === "ended") {
    if (agent.live?.messageId === status.messageId) delete agent.live;
    if (agent.status?.messageId === status.messageId) delete agent.status;
    return "applied";
  }
  if (agent.live?.messageId === status.messageId) return "duplicate";
  delete agent.live;
  agent.status = status;
  return "applied";
}

function appendLive(
  live: LiveReply,
  update: Extract<SessionUpdate["update"], { messageId: string; offset: number }>,
): DeltaOutcome {
  const input = update.sessionUpdate === "tool_input_chunk" ? live.inputs.get(update.toolCallId) : undefined;
  const have =
    update.sessionUpdate === "agent_message_chunk"
      ? live.text
      : update.sessionUpdate === "agent_thought_chunk"
        ? live.thinking
        : (input?.text ?? "");
  const text = grow(have, update.offset, update.text);
  if (typeof text !== "string") return text.dropped;
  if (update.sessionUpdate === "agent_message_chunk") live.text = text;
  else if (update.sessionUpdate === "agent_thought_chunk") live.thinking = text;
  else live.inputs.set(update.toolCallId, { name: update.name, text });
  return "applied";
}

/**
 * A chunk may repeat text that already arrived (a snapshot for a client that attached late): only its new tail is
 * added.
 */
function grow(have: string, offset: number, text: string): string | { dropped: "gap" | "duplicate" } {
  if (offset > have.length) return { dropped: "gap" };
  const fresh = text.slice(have.length - offset);
  return fresh === "" && text !== "" ? { dropped: "duplicate" } : have + fresh;
}
