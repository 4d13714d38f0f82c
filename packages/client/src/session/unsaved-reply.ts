import type { AgentState, SessionState, SessionUpdate, TranscriptItem } from "@harness/protocol";

const MARK = "Not saved: the server ended while this was being written.";

/** Keeps a partly streamed reply in the transcript, marked as not saved. True: there was one. */
export function keepUnsaved({ agents }: SessionState): boolean {
  let kept = false;
  for (const agent of agents.values()) kept = keep(agent) || kept;
  return kept;
}

/** The server has the message after all: its own copy replaces the kept one. */
export function dropUnsaved({ agents }: SessionState, { agentId, update }: SessionUpdate): void {
  const items = agents.get(agentId)?.items;
  if (!items || !("messageId" in update)) return;
  const isKept = items.at(-1)?.id === markId(update.messageId) && items.at(-2)?.id === update.messageId;
  if (isKept) items.splice(-2);
}

const markId = (messageId: string): string => `unsaved ${messageId}`;

function keep(agent: AgentState): boolean {
  const { live } = agent;
  if (!live) return false;
  delete agent.live;
  const { messageId: id, text, thinking } = live;
  if (text.trim() === "" && thinking.trim() === "") return false;
  const at = new Date().toISOString();
  const reply: TranscriptItem = {
    kind: "agent",
    id,
    parts: [
      ...(thinking.trim() === "" ? [] : [{ type: "thinking" as const, text: thinking }]),
      ...(text.trim() === "" ? [] : [{ type: "text" as const, text }]),
    ],
    cut: false,
    model: "",
    at,
  };
  // It is not in `positions`, because only the last items are ever removed again.
  agent.items.push(reply, { kind: "notice", id: markId(id), severity: "warning", title: MARK, at });
  return true;
}
