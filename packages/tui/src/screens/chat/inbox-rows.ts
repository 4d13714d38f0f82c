import { type AgentState, ROOT_AGENT, textOf } from "@harness/protocol";
import { type Row, row, sanitiseLine, span, style, truncateRow } from "../../text/index.ts";

const MAX_SHOWN = 3;
const MUTED = style({ fg: "muted" });

/** Undelivered messages to a subagent, oldest first; those to the main agent are in its queue. */
export function inboxRows(agent: AgentState | undefined, columns: number): Row[] {
  if (!agent || agent.agentId === ROOT_AGENT || agent.inbox.size === 0) return [];
  const texts: string[] = [];
  for (const message of agent.inbox.values()) {
    if (message.state !== "queued") continue;
    if (message.origin === "user") texts.push(`sent with its next request: ${textOf(message.prompt.content)}`);
    else if (message.origin === "agent") texts.push(`from ${message.fromAgentId}, not read yet: ${message.text}`);
  }
  const more = texts.length > MAX_SHOWN ? [`… and ${texts.length - MAX_SHOWN} more.`] : [];
  return [...texts.slice(0, MAX_SHOWN), ...more].map((text) =>
    truncateRow(row(span(` ${sanitiseLine(text)}`, MUTED)), columns),
  );
}
