import { type AgentState, ROOT_AGENT } from "@harness/protocol";
import type { Agent } from "../loop/turn/agent.ts";
import type { Scope } from "../loop/turn/scope.ts";

/** How much of a result a refusal repeats. */
const MAX_RESULT_CHARS = 2_000;

/**
 * The running agent with this id or name; `parent` is the agent that started the requesting one. One that has ended is
 * not found, and the problem then repeats its result, which is what a message to it would ask for.
 */
export function findAgent(scope: Scope, to: string, from: string | undefined): Agent | { problem: string } {
  const known = scope.journal.state.agents;
  const wanted = to === "parent" && from !== undefined ? (known.get(from)?.parentAgentId ?? to) : to;
  const others = [...known.values()].filter(({ agentId }) => agentId !== from);
  const meant = others.filter(({ agentId }) => agentId === wanted);
  const named = meant.length > 0 ? meant : others.filter(({ name }) => name?.toLowerCase() === wanted.toLowerCase());
  // A subagent without a turn is about to report its end.
  const atWork = named
    .flatMap(({ agentId }) => scope.agents.get(agentId) ?? [])
    .filter(({ depth, turn }) => depth === 0 || turn !== undefined);
  const [agent] = atWork;
  if (agent && atWork.length === 1) return agent;
  if (atWork.length > 1) return { problem: `Several agents are called \`${wanted}\`: ${idsOf(atWork)}. Use an id.` };
  const ended = named.at(-1);
  if (ended) return { problem: endedText(scope, ended) };
  const running = [...scope.agents.values()].filter(({ agentId }) => agentId !== from);
  const all = running.length > 0 ? `Running: ${idsOf(running)}.` : "No other agent is running.";
  return { problem: `There is no other agent \`${wanted.slice(0, 100)}\`. ${all}` };
}

function idsOf(agents: readonly Agent[]): string {
  return agents.map(({ agentId }) => agentId).join(", ");
}

function endedText({ journal }: Scope, { agentId, run, parentAgentId = ROOT_AGENT }: AgentState): string {
  const parent = journal.state.agents.get(parentAgentId);
  const item = parent?.items[parent.positions.get(agentId) ?? -1];
  const output = item?.kind === "subagent" ? (item.output ?? "") : "";
  const cut = output.length > MAX_RESULT_CHARS ? `${output.slice(0, MAX_RESULT_CHARS).toWellFormed()} […]` : output;
  return `${agentId} has ended${run === "running" ? "" : ` (${run ?? "idle"})`} and reads no more messages. Its result was: ${cut || "nothing"}`;
}
