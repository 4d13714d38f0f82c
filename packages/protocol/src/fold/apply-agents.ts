import { ROOT_AGENT, type UpdateOf } from "../vocabulary/updates.ts";
import { type AgentState, type InboxMessage, newAgent } from "./agent-state.ts";
import type { TranscriptItem } from "./transcript-item.ts";

type Agents = Map<string, AgentState>;

/** Applies the start or the end of a subagent. Once it has ended, its result is in the parent's inbox. */
export function applySubagent(
  agents: Agents,
  parent: AgentState,
  update: UpdateOf<"subagent_update">,
  at: string,
): void {
  const { childAgentId, task, state: run, output, name, background, worktree, resultId: messageId } = update;
  const { awaited, toolCallId } = update;
  const child = agents.get(childAgentId) ?? newAgent(childAgentId);
  const hasEnded = run !== "running" && (child.run === undefined || child.run === "running");
  child.parentAgentId = parent.agentId;
  child.task = task;
  child.run = run;
  child.startedAt ??= at;
  if (name !== undefined) child.name = name;
  if (background) child.background = true;
  if (worktree) child.worktree = worktree;
  agents.set(childAgentId, child);
  if (hasEnded) {
    child.endedAt = at;
    // Senders were notified before; only results and notes for itself remain.
    child.inbox.clear();
    if (messageId !== undefined) {
      const sent = { origin: "subagent", fromAgentId: childAgentId, run, text: output ?? "" } as const;
      const answers = awaited && toolCallId !== undefined ? { toolCallId } : {};
      parent.inbox.set(messageId, { messageId, state: "queued", at, ...sent, ...answers });
    }
  }
  const call = toolCallId === undefined ? undefined : parent.positions.get(toolCallId);
  const caller = call === undefined ? undefined : parent.items[call];
  if (call !== undefined && caller?.kind === "tool") parent.items[call] = { ...caller, startedAgent: true };
  const position = parent.positions.get(childAgentId);
  const startedAt = position === undefined ? at : (parent.items[position]?.at ?? at);
  const item: TranscriptItem = {
    kind: "subagent",
    id: childAgentId,
    childAgentId,
    task,
    state: run,
    output,
    ...(update.answerLength === undefined ? {} : { answerLength: update.answerLength }),
    ...(child.name === undefined ? {} : { name: child.name }),
    ...(child.background ? { background: true } : {}),
    ...(child.worktree ? { worktree: child.worktree } : {}),
    at: startedAt,
  };
  if (position === undefined) {
    parent.positions.set(childAgentId, parent.items.length);
    parent.items.push(item);
  } else parent.items[position] = item;
}

/**
 * The result of a subagent that a call waited for arrives as the call's result, unless the program ended in between.
 */
export function applyAnswer({ inbox }: AgentState, { toolCallId, outcome }: UpdateOf<"tool_call_update">): void {
  if (!outcome || outcome.status === "interrupted") return;
  for (const [messageId, message] of inbox)
    if (message.origin === "subagent" && message.toolCallId === toolCallId) inbox.delete(messageId);
}

/** A message that becomes part of the conversation is delivered. */
export function applyDelivery({ inbox }: AgentState, { messageId }: UpdateOf<"user_message">): void {
  const message = inbox.get(messageId);
  if (message) inbox.set(messageId, { ...message, state: "delivered" });
}

/** Applies the fate of a message. The sender of a dropped message is notified if it is still running. */
export function applyInbox(
  agents: Agents,
  { agentId, inbox }: AgentState,
  update: UpdateOf<"inbox_update">,
  at: string,
): void {
  const { messageId, state, fromAgentId, text = "", prompt, reason = "" } = update;
  if (state === "queued") {
    const arrived = { messageId, state, at };
    const message: InboxMessage | undefined = prompt
      ? { ...arrived, origin: "user", prompt }
      : fromAgentId === undefined
        ? undefined
        : { ...arrived, origin: "agent", fromAgentId, text };
    if (message) inbox.set(messageId, message);
    return;
  }
  const dropped = inbox.get(messageId);
  inbox.delete(messageId);
  if (state === "read" || fromAgentId === undefined) return;
  const sender = agents.get(fromAgentId);
  if (!sender || (fromAgentId !== ROOT_AGENT && sender.run !== "running")) return;
  const agentText = dropped?.origin === "agent" ? dropped.text : "";
  const noteId = `${messageId}-dropped`;
  const note = { origin: "harness", toAgentId: agentId, text: agentText, reason } as const;
  sender.inbox.set(noteId, { messageId: noteId, state: "queued", at, ...note });
}
