import { type AgentView, ROOT_AGENT } from "@harness/protocol";
import type { CallContext } from "../loop/calls/run-call.ts";
import type { Scope } from "../loop/turn/scope.ts";
import type { ToolResult } from "../ports/tool.ts";
import { titleLine } from "../tools/title-line.ts";
import { agentList } from "./agent-list.ts";
import { findAgent } from "./find-agent.ts";

/** At most this many ended agents are listed, the last ones. */
const MAX_ENDED = 20;

/** The agents of the session, one per line, for a model. */
export function agentsText({ caller: { turn }, agentId }: CallContext): string {
  const { scope } = turn;
  const views = agentList(scope.journal.state);
  const ended = views.filter((each) => !scope.agents.has(each.agentId));
  const hidden = new Set(ended.slice(0, Math.max(0, ended.length - MAX_ENDED)));
  const lines = views.filter((each) => !hidden.has(each)).map((each) => lineOf(each, agentId));
  return [...lines, ...(hidden.size > 0 ? [`(${hidden.size} more have ended.)`] : [])].join("\n");
}

function lineOf(view: AgentView, self: string): string {
  const { agentId, name, depth, state, task, unread, lastAction } = view;
  const parts = [
    `${"  ".repeat(depth)}${agentId}${name ? ` (${name})` : ""}${agentId === self ? " (you)" : ""}: ${state}`,
    ...(unread ? [`${unread} unread`] : []),
    ...(task ? [`task: ${titleLine(task)}`] : []),
    ...(lastAction && agentId !== self ? [`last: ${titleLine(lastAction)}`] : []),
  ];
  return parts.join("; ");
}

/** Stops an agent below the requesting one, with all that it has started. */
export function stopAgent(wanted: string, { caller: { turn } }: CallContext): ToolResult {
  const { scope, agent } = turn;
  const found = findAgent(scope, wanted, agent.agentId);
  if ("problem" in found) return answer("error", found.problem);
  if (!isBelow(scope, found.agentId, agent.agentId))
    return answer("error", `${found.agentId} is not yours to stop: you can only stop agents that you started.`);
  found.turn?.controller.abort();
  return answer("ok", `Stopping ${found.agentId}; a message will report its end.`);
}

function isBelow({ journal }: Scope, agentId: string, above: string): boolean {
  for (let at: string | undefined = agentId; at !== undefined && at !== ROOT_AGENT; ) {
    at = journal.state.agents.get(at)?.parentAgentId;
    if (at === above) return true;
  }
  return false;
}

function answer(status: ToolResult["status"], text: string): ToolResult {
  return { status, text, blocks: [{ type: "text", text }] };
}
