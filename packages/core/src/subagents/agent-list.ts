import {
  type AgentState,
  type AgentView,
  type AgentWorktree,
  ROOT_AGENT,
  type SessionState,
  textOf,
} from "@harness/protocol";
import { titleLine } from "../tools/title-line.ts";

const LATEST_ITEMS = 10;

/** The agents of the session, parents first, derived from the facts and so the same after a restart. */
export function agentList(state: SessionState): AgentView[] {
  const views: AgentView[] = [];
  const children = new Map<string, AgentState[]>();
  for (const agent of state.agents.values()) {
    if (agent.parentAgentId === undefined) continue;
    const siblings = children.get(agent.parentAgentId);
    if (siblings) siblings.push(agent);
    else children.set(agent.parentAgentId, [agent]);
  }
  const add = (agent: AgentState, depth: number) => {
    views.push(viewOf(state, agent, depth));
    for (const child of children.get(agent.agentId) ?? []) add(child, depth + 1);
  };
  const root = state.agents.get(ROOT_AGENT);
  if (root) add(root, 0);
  return views;
}

function viewOf(state: SessionState, agent: AgentState, depth: number): AgentView {
  const { agentId, parentAgentId, task, run } = agent;
  const parent = parentAgentId === undefined ? undefined : state.agents.get(parentAgentId);
  const position = parent?.positions.get(agentId);
  const startedAt = position === undefined ? undefined : parent?.items[position]?.at;
  const { name, background, model, total, inbox, worktree } = agent;
  const lastAction = lastActionOf(agent);
  return {
    agentId,
    depth,
    state: run === undefined || run === "running" ? agent.state : run,
    ...(parentAgentId === undefined ? {} : { parentAgentId }),
    ...(task === undefined ? {} : { task }),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(name === undefined ? {} : { name }),
    ...(background ? { background } : {}),
    ...(model === undefined ? {} : { model, usage: total.usage, cost: total.cost }),
    ...(lastAction === undefined ? {} : { lastAction }),
    ...(inbox.size > 0 ? { unread: inbox.size } : {}),
    ...(worktree === undefined ? {} : { worktree: withoutChanges(worktree) }),
  };
}

function withoutChanges({ changes: _, ...worktree }: AgentWorktree): AgentView["worktree"] {
  return worktree;
}

/** One line about the agent's last action, from the newest items only: lists are requested often. */
function lastActionOf({ items }: AgentState): string | undefined {
  for (const item of items.slice(-LATEST_ITEMS).reverse()) {
    if (item.kind === "tool") return item.title;
    const text = item.kind === "agent" ? titleLine(textOf(item.parts)) : "";
    if (text !== "") return text;
  }
  return undefined;
}
