import {
  type AgentRun,
  type BackgroundProcessView,
  type InboxMessage,
  markedText,
  type QueuedPrompt,
  ROOT_AGENT,
  shownName,
  textOf,
  type UpdateOf,
} from "@harness/protocol";

type ToModel = Exclude<InboxMessage, { origin: "user" }>;
type Processes = ReadonlyMap<string, BackgroundProcessView>;

/** The number of characters quoted from a dropped message. */
const QUOTED_CHARS = 200;

/** The text the model gets for a message that did not come from the user. */
export function inboxText(message: ToModel, processes: Processes): string {
  switch (message.origin) {
    case "agent":
      return `MESSAGE from ${message.fromAgentId}: ${wordsOf(message.fromAgentId, message.text)}`;
    case "subagent":
      return subagentText(message.fromAgentId, { state: message.run, output: message.text }, processes);
    case "harness":
      return `Your message to ${message.toAgentId} was not read: ${message.reason} It said: ${wordsOf("you", firstChars(message.text))}`;
  }
}

/** An agent may repeat text from a page or a file, so its words are marked as data. */
function wordsOf(agentId: string, text: string): string {
  return markedText(`the words of ${agentId}`, text);
}

/** Reports the end of a subagent to its parent. */
export function subagentText(
  agentId: string,
  { state, output }: { state: AgentRun; output: string },
  processes: Processes,
): string {
  return `SUBAGENT ${agentId} ${state === "completed" ? "COMPLETED" : "FAILED"}: ${wordsOf(agentId, output)}${leftText(agentId, processes)}`;
}

/** The processes that a subagent leaves running in the session. */
function leftText(agentId: string, processes: Processes): string {
  const left = [...processes.values()].filter((each) => each.agentId === agentId && each.state === "running");
  const named = left.map(({ processId, command }) => `${processId} (\`${shownName(command)}\`)`);
  return left.length === 0 ? "" : `\nStill running in the background: ${named.join(", ")}`;
}

function firstChars(text: string): string {
  return text.length <= QUOTED_CHARS ? text : `${text.slice(0, QUOTED_CHARS).toWellFormed()}…`;
}

/**
 * Tells people that a subagent ended before it read their message: in its transcript, where they wrote it, and in the
 * main one, in case they have left it. `why`: a sentence after a colon.
 */
export function unreadNotices(
  agentId: string,
  { content }: QueuedPrompt,
  why: string,
): { agentId: string; update: UpdateOf<"notice"> }[] {
  const title = `Your message to ${agentId} was not read: ${why}`;
  const update = { sessionUpdate: "notice", severity: "warning", title, description: textOf(content) } as const;
  return [agentId, ROOT_AGENT].map((owner) => ({ agentId: owner, update }));
}
