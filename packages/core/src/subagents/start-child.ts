import { type AgentDefinition, ROOT_AGENT, type SessionState, type UpdateOf } from "@harness/protocol";
import type { CallContext } from "../loop/calls/run-call.ts";
import { type AgentControl, coreAliases, coreTools } from "../loop/core-tools.ts";
import { runTurn } from "../loop/run-turn.ts";
import { selectTools } from "../loop/toolbox/tool-selection.ts";
import { Agent, type AgentSeed } from "../loop/turn/agent.ts";
import { BudgetMeter } from "../loop/turn/budget-meter.ts";
import { dateFor } from "../loop/turn/drain-inbox.ts";
import { Inbox } from "../loop/turn/inbox.ts";
import type { Scope } from "../loop/turn/scope.ts";
import { Turn } from "../loop/turn/turn.ts";
import { type SubagentStart, type SubagentTask, taskText } from "../tools/subagent-order.ts";
import { startRefusal, taskRefusal } from "./child-limits.ts";
import { planChild } from "./child-plan.ts";
import { agentsText, stopAgent } from "./control-agents.ts";
import { endChild } from "./end-child.ts";
import { sendMessage } from "./send-message.ts";

type Given = Pick<AgentSeed, "role" | "models" | "budget" | "table">;

/** Creates the main agent with all tools of the session and core's own; `definition`: where it is a named one. */
export function createRoot(scope: Scope, definition: Partial<AgentDefinition> = {}): Agent {
  const { tools, requests } = scope.ports;
  const { name, prompt, mode, permissionMode, tools: only, disallowedTools: without, budget = {} } = definition;
  const control: AgentControl = {
    agents: () => requests.agents(),
    start: startChild,
    send: sendMessage,
    list: agentsText,
    stop: stopAgent,
  };
  const all = { tools: [...tools.tools, ...coreTools(control)], aliases: [...tools.aliases, ...coreAliases] };
  return createAgent(scope, ROOT_AGENT, 0, {
    role: { name, prompt, mode, permissionMode },
    models: scope.requests.models,
    budget: new BudgetMeter(budget),
    table: selectTools(all, { only, without }),
  });
}

function createAgent(scope: Scope, agentId: string, depth: number, given: Given): Agent {
  const inbox = new Inbox(() => scope.journal.state.agents.get(agentId)?.inbox);
  const agent = new Agent({ agentId, depth, inbox, ...given });
  scope.agents.set(agentId, agent);
  return agent;
}

/** Starts a child on its task, or returns why not. Throws `LogWriteError`. */
async function startChild(order: SubagentTask, { turn, toolCallId, signal }: CallContext): Promise<SubagentStart> {
  const plan = await planChild(turn, order);
  if ("rejected" in plan) return plan;
  // From here on nothing is waited for: what is looked at stays as it is.
  const rejected = startRefusal(turn) ?? taskRefusal(plan.models.current ?? turn.choice, taskText(order));
  if (rejected !== undefined) return { rejected };
  if (signal.aborted) return { rejected: "The call was stopped before the subagent was started." };
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
  const background = plan.background && !order.isAwaited && parent.agentId === ROOT_AGENT;
  const { name } = plan.role;
  const update: UpdateOf<"subagent_update"> = {
    sessionUpdate: "subagent_update",
    childAgentId: agentId,
    toolCallId,
    task: order.task,
    state: "running",
    ...(name === undefined ? {} : { name }),
    ...(background ? { background } : {}),
  };
  turn.record(update);
  const child = createAgent(scope, agentId, parent.depth + 1, plan);
  const childTurn = beginTurn(turn, child, order, background);
  const stop = () => childTurn.controller.abort();
  if (order.isAwaited) signal.addEventListener("abort", stop, { once: true });
  const ended = Promise.resolve()
    .then(() => runTurn(childTurn))
    .then((end) => {
      signal.removeEventListener("abort", stop);
      return endChild(childTurn, { update, parentTurn: turn, isAwaited: order.isAwaited === true }, end);
    });
  parent.children.set(agentId, { turn: childTurn, background, ended });
  return { subagentId: agentId, ended };
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
