import { type AgentState, type RequestStatus, ROOT_AGENT, type SessionState, textOf } from "@harness/protocol";
import { spokenLine } from "../figures/spoken-title.ts";
import { withoutMarks } from "../text/markdown/without-marks.ts";
import type { AppState } from "./app-state.ts";
import { agentOf } from "./dialogs.ts";

export function rootAgent(session: SessionState | undefined): AgentState | undefined {
  return session?.agents.get(ROOT_AGENT);
}

/** The agent whose transcript is in view; it gets the messages. */
export function shownAgent({
  session,
  agentInView,
}: Pick<AppState, "session" | "agentInView">): AgentState | undefined {
  return session?.agents.get(agentInView) ?? rootAgent(session);
}

/** Subagents at work, oldest first. */
export function runningAgents(session: SessionState | undefined): AgentState[] {
  return [...(session?.running ?? [])].flatMap((agentId) => session?.agents.get(agentId) ?? []);
}

/** Running subagents that continue after the turn that started them. */
export function backgroundAgents(session: SessionState | undefined): AgentState[] {
  return runningAgents(session).filter(({ background }) => background);
}

/** The agent above this one, the one above that, and so on to the root; then the agent itself. */
export function agentPath(session: SessionState, agentId: string): string[] {
  const path: string[] = [];
  for (let at: string | undefined = agentId; at !== undefined && !path.includes(at); ) {
    path.unshift(at);
    at = session.agents.get(at)?.parentAgentId;
  }
  return path;
}

/** The agent that asks in the first dialog, and its task; undefined for the one in view. */
export function askerText({
  dialogs: [dialog],
  session,
  agentInView,
  keymap,
}: Pick<AppState, "dialogs" | "session" | "agentInView" | "keymap">): string | undefined {
  if (!dialog) return undefined;
  const agentId = agentOf(dialog);
  if (dialog.sessionId !== session?.sessionId) return agentId === ROOT_AGENT ? undefined : `Agent ${agentId} asks.`;
  if (agentId === agentInView) return undefined;
  const shows = keymap.names.say("chat.agents", (key) => ` (${key} shows it)`);
  if (agentId === ROOT_AGENT) return `The main agent asks${shows}.`;
  const task = session.agents.get(agentId)?.task;
  return `Agent ${agentId} asks${shows}${task ? `, for its task: ${task}` : "."}`;
}

/** The number of characters read from a line; no more is shown. */
const LINE_CHARS = 400;

/** The last line of a text, from its start, so that it does not move while it grows. */
function lastLine(text: string): string {
  const tail = text.slice(-LINE_CHARS);
  const end = text.length - (tail.length - tail.trimEnd().length);
  const from = end === 0 ? 0 : text.lastIndexOf("\n", end - 1) + 1;
  return text.slice(from, Math.min(end, from + LINE_CHARS)).trim();
}

const phaseText: Record<RequestStatus["phase"], string> = {
  queued: "waiting for a slot",
  loading: "loading the model",
  reconnecting: "waiting for the server to come back",
  prefill: "reading the prompt",
  ended: "",
};

/** The current or last activity of an agent in one line. */
export function latestDoing({ live, items, state, status }: AgentState): string {
  if (state === "requires_action") return "waiting for your answer";
  if (state === "waiting") return "waiting for its subagents";
  if (status) return phaseText[status.phase];
  const line = withoutMarks(lastLine(live?.text ?? ""));
  if (line !== "") return line;
  if (live) return "Thinking…";
  const last = items.findLast(({ kind }) => kind === "tool" || kind === "agent");
  if (last?.kind === "tool") return spokenLine(last);
  return last?.kind === "agent" ? withoutMarks(lastLine(textOf(last.parts))) : "";
}
