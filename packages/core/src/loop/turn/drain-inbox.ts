import { type Content, type QueuedPrompt, ROOT_AGENT } from "@harness/protocol";
import { dateNote } from "../../context/conversation/date-note.ts";
import { inboxText } from "../../context/conversation/inbox-text.ts";
import { skillTexts } from "./active-skills.ts";
import type { Agent } from "./agent.ts";
import { beginCommand } from "./begin-command.ts";
import type { Turn } from "./turn.ts";

/** Records the messages of the inbox, which makes them part of the next request. */
export function drainMail(turn: Turn): void {
  for (const message of turn.agent.inbox.queued) {
    const { messageId, origin } = message;
    if (origin === "user") {
      recordPrompt(turn, message.prompt, messageId);
      turn.resetRequests();
      continue;
    }
    const text = inboxText(message, turn.scope.journal.state.processes);
    const from = "fromAgentId" in message ? { fromAgentId: message.fromAgentId } : {};
    turn.record({ sessionUpdate: "user_message", messageId, content: [{ type: "text", text }], origin, ...from });
  }
}

/** Records that the model has answered a request that included everything delivered before. */
export function recordRead(turn: Turn): void {
  for (const { messageId, state } of turn.agent.inbox.unread)
    if (state === "delivered") turn.record({ sessionUpdate: "inbox_update", messageId, state: "read" });
}

/** Records changes of processes outside of calls, which makes them part of the next request. */
export function drainNotes(turn: Turn): void {
  const { due } = turn.agent.projection.notes;
  if (due.length === 0) return;
  const content = [{ type: "text" as const, text: due.join("\n") }];
  const messageId = turn.runtime.ids.next("message");
  turn.record({ sessionUpdate: "user_message", messageId, content, origin: "harness" });
}

/** Makes a prompt a message of the conversation; the first one of a day includes the date. */
export function recordPrompt(
  turn: Turn,
  { promptId, content, attached = [], files, command }: QueuedPrompt,
  messageId = turn.runtime.ids.next("message"),
): void {
  const notes = command ? beginCommand(turn, command, promptId) : [];
  const inUse = turn.scope.journal.state.agents.get(turn.agent.agentId)?.skills ?? [];
  const skills = skillTexts(turn.agent, inUse, notes);
  const all = [...skills, ...notes, ...attached, ...dateFor(turn.agent, turn.scope.ports.requests.today())];
  turn.record({
    sessionUpdate: "user_message",
    messageId,
    promptId,
    content,
    ...(all.length > 0 ? { attached: all } : {}),
    ...(files ? { files } : {}),
    origin: "user",
  });
  if (command?.skill)
    turn.record({ sessionUpdate: "skill_update", skill: command.skill, state: "active", by: "person" });
}

/** The date for the agent's next message, if its messages have not named it. */
export function dateFor({ projection }: Agent, today: string): Content[] {
  return today === "" || projection.today === today ? [] : [{ type: "text", text: dateNote(today) }];
}

/** Records steering prompts. A prompt is stored before it leaves the queue, so that it is never lost. */
export function drainSteering(turn: Turn): void {
  if (turn.agent.agentId !== ROOT_AGENT) return;
  const { prompts } = turn.scope;
  const { steering } = prompts;
  if (steering.length === 0) return;
  for (const prompt of steering) recordPrompt(turn, prompt);
  prompts.remove(steering.map((each) => each.promptId));
  turn.resetRequests();
}

export function hasMessages(turn: Turn): boolean {
  if (turn.agent.inbox.queued.length > 0 || turn.agent.projection.notes.due.length > 0) return true;
  return turn.agent.agentId === ROOT_AGENT && turn.scope.prompts.steering.length > 0;
}
