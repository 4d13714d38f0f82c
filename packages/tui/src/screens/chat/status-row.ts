import type { AgentState, SessionState } from "@harness/protocol";
import { elapsed } from "../../figures/elapsed.ts";
import { spokenLine } from "../../figures/spoken-title.ts";
import { type Row, row, sanitiseLine, span, style, truncateRow } from "../../text/index.ts";
import { compactionText, requestText } from "./request-text.ts";

/** One frame for two of about ten ticks a second. DejaVu Sans Mono and other common fonts lack finer signs (Braille). */
const spinnerFrames = ["◐", "◐", "◓", "◓", "◑", "◑", "◒", "◒"] as const;
const SPINNER = style({ fg: "accent" });
const MUTED = style({ fg: "muted" });
const WARNING = style({ fg: "warning" });

function doing(agent: AgentState, session: SessionState, requestMs: number | undefined): string {
  if (agent.compaction) return compactionText(agent.compaction, requestMs);
  if (agent.status) return requestText(agent.status, requestMs);
  if (agent.state === "requires_action") return "Waiting for your answer";
  if (agent.state === "waiting") {
    const count = childrenAtWork(session, agent.agentId);
    return `Waiting for ${count === 1 ? "a subagent" : `${count || "the"} subagents`}`;
  }
  if (agent.live && agent.live.text === "" && agent.live.inputs.size === 0) return "Thinking…";
  const last = agent.items.at(-1);
  if (!agent.live && last?.kind === "tool" && last.status === "in_progress") return spokenLine(last);
  return agent.live ? "Answering" : "Thinking…";
}

function childrenAtWork({ running, agents }: SessionState, agentId: string): number {
  return [...running].filter((each) => agents.get(each)?.parentAgentId === agentId).length;
}

export type StatusMoment = {
  /** When the turn began. */
  readonly sinceMs: number | undefined;
  /** When the request entered its current phase. */
  readonly requestSinceMs?: number | undefined;
  readonly nowMs: number;
  readonly columns: number;
  readonly tick: number;
  /**
   * The key that stops the agent, as shown to the user; undefined while a dialog explains its own keys, "" if there is
   * none.
   */
  readonly stops: string | undefined;
};

/** The current activity of an agent and its duration; undefined when idle. */
export function statusRow(
  session: SessionState | undefined,
  agent: AgentState | undefined,
  { sinceMs, requestSinceMs, nowMs, columns, tick, stops }: StatusMoment,
): Row | undefined {
  if (!session || !agent || (agent.state === "idle" && !agent.compaction)) return undefined;
  const frame = spinnerFrames[tick % spinnerFrames.length] ?? "";
  // While the agent waits for the user, the turn's time says nothing about how long it has been waiting.
  const isTimed = sinceMs !== undefined && agent.state !== "requires_action";
  const askedMs = agent.turn?.askedMs ?? 0;
  const hints = [...(isTimed ? [elapsed(nowMs - sinceMs - askedMs)] : []), ...(stops ? [stops] : [])];
  const spinner = span(`${frame} `, SPINNER);
  const { retry } = agent;
  if (retry) {
    const when = retry.delayMs < 1000 ? "at once" : `in ${Math.round(retry.delayMs / 1000)} s`;
    const text = `Retrying ${when} (${retry.attempt} of ${retry.maxAttempts}) · ${retry.error.message}`;
    return truncateRow(row(spinner, span(sanitiseLine(text), WARNING)), columns);
  }
  // At the start of a turn the turn's own time is shown already.
  const isLater = requestSinceMs !== undefined && requestSinceMs - (sinceMs ?? 0) >= 1000;
  const requestMs = isLater ? nowMs - requestSinceMs : undefined;
  const end = hints.length === 0 ? "" : ` (${hints.join(" · ")})`;
  const body = truncateRow(row(span(doing(agent, session, requestMs))), Math.max(10, columns - end.length - 3));
  return truncateRow(row(spinner, ...body.spans, span(`${end}${lastThought(agent)}`, MUTED)), columns);
}

/** Far more than fits in a row; the thinking may be long, and the row is drawn ten times a second. */
const MAX_THOUGHT = 500;

/** The last line of the model's thinking, as long as its reply has nothing else. */
function lastThought({ live }: AgentState): string {
  if (live?.text !== "" || live.inputs.size > 0) return "";
  const line = live.thinking.slice(-MAX_THOUGHT).trimEnd().split("\n").at(-1) ?? "";
  const words = sanitiseLine(line).trim();
  return words === "" ? "" : ` ${words}`;
}
