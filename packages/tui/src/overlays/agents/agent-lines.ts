import { type AgentState, ROOT_AGENT, type SessionState } from "@harness/protocol";
import { latestDoing } from "../../state/agents.ts";
import { withoutMarks } from "../../text/markdown/without-marks.ts";
import type { AgentLine } from "./state.ts";

/** The agents as a tree, each parent before its children, which are in the order of their start. */
export function agentLines(session: SessionState, { canStop }: { readonly canStop: boolean }): AgentLine[] {
  const children = new Map<string, AgentState[]>();
  for (const agent of session.agents.values()) {
    const { parentAgentId } = agent;
    if (parentAgentId === undefined) continue;
    const siblings = children.get(parentAgentId);
    if (siblings) siblings.push(agent);
    else children.set(parentAgentId, [agent]);
  }
  const lines: AgentLine[] = [];
  /** `stem`: the tree lines to the left of its children. */
  const add = (agent: AgentState, branch: string, stem: string): void => {
    lines.push({ ...lineOf(session, agent, canStop), branch, stem });
    const below = children.get(agent.agentId) ?? [];
    below.forEach((child, at) => {
      const isLast = at === below.length - 1;
      add(child, `${stem}${isLast ? "└ " : "├ "}`, `${stem}${isLast ? "  " : "│ "}`);
    });
  };
  const root = session.agents.get(ROOT_AGENT);
  if (root) add(root, "", "");
  return lines;
}

function lineOf(session: SessionState, agent: AgentState, canStop: boolean): Omit<AgentLine, "branch" | "stem"> {
  const { agentId, name, task, run, state, background, startedAt, endedAt, inbox, total } = agent;
  const isRunning = session.running.has(agentId);
  const isRoot = agentId === ROOT_AGENT;
  return {
    agentId,
    name,
    task: isRoot ? (session.title ?? "") : (task ?? ""),
    state: isRoot || isRunning ? state : (run ?? state),
    canStop: canStop && isRunning,
    background: background === true,
    doing: isRoot || isRunning ? latestDoing(agent) : resultOf(session, agent),
    worktree: agent.worktree,
    startedAt,
    endedAt,
    unread: inbox.size,
    tokens: (total.usage.inputTokens ?? 0) + (total.usage.outputTokens ?? 0),
    cost: total.cost,
  };
}

const MAX_RESULT = 400;

/** The beginning of the result of an ended agent. */
function resultOf({ agents }: SessionState, { agentId, parentAgentId = "" }: AgentState): string {
  const parent = agents.get(parentAgentId);
  const item = parent?.items[parent.positions.get(agentId) ?? -1];
  if (item?.kind !== "subagent") return "";
  const { output = "", answerLength = output.length } = item;
  return withoutMarks(output.slice(0, Math.min(MAX_RESULT, answerLength)));
}
