// What is being streamed, as chunks put it together.
import type { SessionUpdate, UpdateOf } from "../vocabulary/updates.ts";

export type Applied = "applied" | "duplicate" | "gap";

/** What is only streamed: gone when the fact that completes it arrives. */
export type Live = {
  messageId: string;
  text: string;
  thinking: string;
  /** Arguments being written, by call id. */
  inputs: Map<string, { name: string; text: string }>;
};

/** What the request waits for; gone at the first chunk of its reply. */
export type RequestStatus = UpdateOf<"request_status">;

/** What of an agent is being streamed. */
export type Streaming = {
  live?: Live;
  status?: RequestStatus;
  /** Output of running calls, by call id. */
  output: Map<string, string>;
};

/** Takes a chunk into what the agent is streaming; a gap changes nothing. */
export function applyDelta(agent: Streaming, { update }: SessionUpdate): Applied {
  if (update.sessionUpdate === "tool_output_chunk") {
    const have = agent.output.get(update.toolCallId) ?? "";
    const text = grow(have, update.offset, update.text);
    if (typeof text === "string") agent.output.set(update.toolCallId, text);
    return typeof text === "string" ? "applied" : text.dropped;
  }
  if (update.sessionUpdate === "request_status") return takeStatus(agent, update);
  if (!("messageId" in update && "offset" in update)) return "applied";
  if (agent.live?.messageId !== update.messageId) {
    if (update.offset > 0) return "gap";
    agent.live = { messageId: update.messageId, text: "", thinking: "", inputs: new Map() };
  }
  delete agent.status;
  return appendLive(agent.live as Live, update);
}

/** The latest one counts. What an earlier request had streamed is of no use any more. */
function takeStatus(agent: Streaming, status: RequestStatus): Applied {
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
  live: Live,
  update: Extract<SessionUpdate["update"], { messageId: string; offset: number }>,
): Applied {
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

/** A chunk may repeat what is known (a snapshot for a client that attached late): only its new tail counts. */
function grow(have: string, offset: number, text: string): string | { dropped: "gap" | "duplicate" } {
  if (offset > have.length) return { dropped: "gap" };
  const fresh = text.slice(have.length - offset);
  return fresh === "" && text !== "" ? { dropped: "duplicate" } : have + fresh;
}
