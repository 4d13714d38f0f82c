import { type AgentState, type AgentView, ROOT_AGENT, type SessionState } from "@harness/protocol";

/** The agents of the session, parents first, derived from the facts and so the same after a restart. */
export function agentList(state: SessionState): AgentView[] {
  const views: AgentView[] = [];
  const children = new Map<string, AgentState[]>();
  for (const agent of state.agents.values()) {
    if (agent.parentAgentId === undefined) continue;
    children.set(agent.parentAgentId, [...(children.get(agent.parentAgentId) ?? []), agent]);
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
  return {
    agentId,
    depth,
    state: run === undefined || run === "running" ? agent.state : run,
    ...(parentAgentId === undefined ? {} : { parentAgentId }),
    ...(task === undefined ? {} : { task }),
    ...(startedAt === undefined ? {} : { startedAt }),
  };
}
