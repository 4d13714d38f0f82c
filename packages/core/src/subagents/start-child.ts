import { ROOT_AGENT, type SessionState, type UpdateOf } from "@harness/protocol";
import type { CallContext } from "../loop/calls/run-call.ts";
import { type AgentControl, coreAliases, coreTools } from "../loop/core-tools.ts";
import { runTurn } from "../loop/run-turn.ts";
import { Agent } from "../loop/turn/agent.ts";
import { dateFor } from "../loop/turn/drain-inbox.ts";
import { Inbox } from "../loop/turn/inbox.ts";
import type { Scope } from "../loop/turn/scope.ts";
import { Turn } from "../loop/turn/turn.ts";
import { type SubagentStart, type SubagentTask, taskText } from "../tools/start-subagent.ts";
import { startRefusal, taskRefusal } from "./child-limits.ts";
import { agentsText, stopAgent } from "./control-agents.ts";
import { endChild } from "./end-child.ts";
import { sendMessage } from "./send-message.ts";

const control: AgentControl = { start: startChild, send: sendMessage, list: agentsText, stop: stopAgent };

/** Creates an agent of the session with all its tools and core's own. */
export function createAgent(scope: Scope, agentId: string, depth: number): Agent {
  const { tools, aliases } = scope.ports.tools;
  const inbox = new Inbox(() => scope.journal.state.agents.get(agentId)?.inbox);
  const agent = new Agent(
    { agentId, depth, inbox },
    { tools: [...tools, ...coreTools(control)], aliases: [...aliases, ...coreAliases] },
  );
  scope.agents.set(agentId, agent);
  return agent;
}

/** Starts a child on its task, or returns why not. Throws `LogWriteError`. */
function startChild(order: SubagentTask, { turn, toolCallId }: CallContext): SubagentStart {
  const rejected = startRefusal(turn) ?? taskRefusal(turn, taskText(order));
  if (rejected) return { rejected };
  const { scope, agent: parent } = turn;
  const { ports } = scope;
  const agentId = nextAgentId(scope.journal.state);
  try {
    ports.log.addAgent(agentId, parent.agentId);
  } catch (error) {
    ports.runtime.report(error, "log.addAgent");
    return { rejected: "Its log could not be made. Do the task yourself." };
  }
  // A subagent lives as long as its turn and reports at its end: it waits for all of its own.
  const background = order.background === true && parent.agentId === ROOT_AGENT;
  const update: UpdateOf<"subagent_update"> = {
    sessionUpdate: "subagent_update",
    childAgentId: agentId,
    toolCallId,
    task: order.task,
    state: "running",
    ...(background ? { background } : {}),
  };
  turn.record(update);
  const child = createAgent(scope, agentId, parent.depth + 1);
  const childTurn = beginTurn(turn, child, order, background);
  const ended = Promise.resolve()
    .then(() => runTurn(childTurn))
    .then((end) => endChild(childTurn, { update, parentTurn: turn }, end));
  parent.children.set(agentId, { turn: childTurn, background, ended });
  return { subagentId: agentId };
}

/** `agent-1`, `agent-2`: people type these, and models repeat them. The state knows every agent that the session has had. */
function nextAgentId({ agents }: Pick<SessionState, "agents">): string {
  let number = agents.size;
  while (agents.has(`agent-${number}`)) number += 1;
  return `agent-${number}`;
}

/** The child's turn with its first message: a turn of the parent stops it as well, unless it is in the background. */
function beginTurn(turn: Turn, child: Agent, order: SubagentTask, background: boolean): Turn {
  const { scope, stages, agent: parent } = turn;
  const { ports } = scope;
  const turnId = ports.runtime.ids.next("turn");
  const childTurn = new Turn({ scope, stages, agent: child, turnId, ...(background ? {} : { parent: turn }) });
  child.turn = childTurn;
  childTurn.record({ sessionUpdate: "state_update", state: "running" });
  const date = dateFor(child, ports.requests.today());
  childTurn.record({
    sessionUpdate: "user_message",
    messageId: ports.runtime.ids.next("message"),
    content: [{ type: "text", text: taskText(order) }],
    ...(date.length > 0 ? { attached: date } : {}),
    origin: "subagent",
    fromAgentId: parent.agentId,
  });
  return childTurn;
}
