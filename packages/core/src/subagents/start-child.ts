import {
  type AgentBudget,
  type AgentDefinition,
  ROOT_AGENT,
  type SessionState,
  type UpdateOf,
} from "@harness/protocol";
import { SystemText } from "../context/system/system-text.ts";
import type { CallContext } from "../loop/calls/run-call.ts";
import { type AgentControl, coreAliases, coreTools, skillTool } from "../loop/core-tools.ts";
import { otherSessionsOf } from "../loop/recall/other-sessions.ts";
import { runTurn } from "../loop/run-turn.ts";
import { derivedTools, withTool } from "../loop/toolbox/derived-tools.ts";
import { selectTools } from "../loop/toolbox/tool-selection.ts";
import { Agent, type AgentDeps, type AgentLocation } from "../loop/turn/agent.ts";
import { BudgetMeter, lessOf } from "../loop/turn/budget-meter.ts";
import { dateFor } from "../loop/turn/drain-inbox.ts";
import { Inbox } from "../loop/turn/inbox.ts";
import type { Scope } from "../loop/turn/scope.ts";
import { Turn } from "../loop/turn/turn.ts";
import { type SubagentStart, type SubagentTask, taskText } from "../tools/subagent-order.ts";
import { startRefusal, taskRefusal } from "./child-limits.ts";
import { type ChildPlan, planChild } from "./child-plan.ts";
import { agentsText, stopAgent } from "./control-agents.ts";
import { endChild } from "./end-child.ts";
import { deliverMessage } from "./send-message.ts";
import { changesAccess } from "./worktrees/changes-access.ts";
import { type MadeWorktree, makeWorktree } from "./worktrees/child-worktree.ts";

/** Creates the main agent with all tools of the session and core's own; `definition`: if it is a named one. */
export function createRoot(scope: Scope, definition: Partial<AgentDefinition> = {}): Agent {
  const { tools, requests, files } = scope.ports;
  const { name, prompt, mode, permissionMode, tools: only, disallowedTools: without, budget = {} } = definition;
  const control: AgentControl = {
    agents: () => requests.agents(),
    start: startChild,
    send: deliverMessage,
    list: agentsText,
    stop: stopAgent,
    changes: files.worktrees && changesAccess(scope),
  };
  const own = coreTools(control, otherSessionsOf(scope));
  const all = derivedTools(tools, (table) => ({
    tools: [...table.tools, ...own],
    aliases: [...table.aliases, ...coreAliases],
  }));
  const { skills } = requests;
  const withSkills = withTool(all, skillTool(skills), () => skills.list().length > 0);
  return createAgent(scope, ROOT_AGENT, 0, {
    role: { name, prompt, mode, permissionMode },
    models: scope.requests.models,
    budget: rootMeter(scope, budget),
    tools: derivedTools(withSkills, (table) => selectTools(table, { only, without })),
    place: undefined,
  });
}

function rootMeter({ settings }: Scope, own: AgentBudget): BudgetMeter {
  const { budget } = settings.values.limits;
  return new BudgetMeter(lessOf(own, budget), undefined, { needsPrices: budget?.usd !== undefined });
}

function createAgent(scope: Scope, agentId: string, depth: number, deps: AgentDeps): Agent {
  const inbox = new Inbox(() => scope.journal.state.agents.get(agentId)?.inbox);
  const agent = new Agent({ agentId, depth, inbox, log: scope.ports.log }, deps);
  scope.agents.set(agentId, agent);
  return agent;
}

/** Starts a child on its task, or returns why not. Throws `LogWriteError`. */
async function startChild(order: SubagentTask, context: CallContext): Promise<SubagentStart> {
  const { turn } = context.caller;
  const plan = await planChild(turn, order);
  if ("rejected" in plan) return plan;
  if (!plan.worktree) return begin(order, context, plan);
  if (turn.agent.place) return { rejected: "You are in a worktree yourself: start it without `worktree`." };
  const rejected = refusal(order, context, plan);
  if (rejected !== undefined) return { rejected };
  const made = await makeWorktree(turn.scope, context.signal);
  if ("rejected" in made) return made;
  let started: SubagentStart | undefined;
  try {
    started = begin(order, context, { ...plan, apart: made });
    return started;
  } finally {
    if (!started || "rejected" in started) await turn.scope.ports.files.worktrees?.remove(made.worktree.worktreeId);
  }
}

function refusal(order: SubagentTask, { caller: { turn }, signal }: CallContext, plan: ChildPlan): string | undefined {
  if (signal.aborted) return "The call was stopped before the subagent was started.";
  return startRefusal(turn) ?? taskRefusal(plan.models.current ?? turn.choice, taskText(order));
}

type PlannedChild = ChildPlan & { apart?: MadeWorktree };

/** From here on nothing is awaited, so that what was checked stays as it is. */
function begin(order: SubagentTask, context: CallContext, plan: PlannedChild): SubagentStart {
  const rejected = refusal(order, context, plan);
  if (rejected !== undefined) return { rejected };
  const { caller, signal } = context;
  const { turn, toolCallId } = caller;
  const { apart } = plan;
  const { scope, agent: parent } = turn;
  const { ports } = scope;
  const agentId = nextAgentId(scope.journal.state);
  try {
    ports.log.addAgent(agentId, parent.agentId);
  } catch (error) {
    ports.runtime.report(error, "log.addAgent");
    return { rejected: "Its log could not be created. Do the task yourself." };
  }
  // A subagent lives as long as its turn and reports at its end: it waits for all of its own.
  const isAwaited = order.isAwaited === true;
  const background = plan.background && !isAwaited && parent.agentId === ROOT_AGENT;
  const { name } = plan.role;
  const update: UpdateOf<"subagent_update"> = {
    sessionUpdate: "subagent_update",
    childAgentId: agentId,
    toolCallId,
    task: order.task,
    state: "running",
    ...(name === undefined ? {} : { name }),
    ...(background ? { background } : {}),
    ...(apart ? { worktree: apart.worktree } : {}),
    ...(isAwaited ? { awaited: true as const } : {}),
  };
  turn.record(update);
  scope.startLimit.began();
  const place = apart ? placeOf(scope, apart.worktree.path) : parent.place;
  const child = createAgent(scope, agentId, parent.depth + 1, { ...plan, place });
  const text = apart ? `${taskText(order)}\n\n${apart.note}` : taskText(order);
  const childTurn = beginTurn(turn, child, text, background);
  const stop = () => childTurn.controller.abort();
  if (isAwaited) signal.addEventListener("abort", stop, { once: true });
  const ended = Promise.resolve()
    .then(() => runTurn(childTurn))
    .then((end) => {
      signal.removeEventListener("abort", stop);
      return endChild(childTurn, { update, parentTurn: turn }, end);
    })
    .finally(() => scope.startLimit.ended());
  parent.children.set(agentId, { turn: childTurn, background, isAwaited, ended });
  return { subagentId: agentId, ended };
}

/** The agent that a stored fact has started, as it would be equipped now. Nothing is started. */
export async function rebuildChild(
  parentTurn: Turn,
  { childAgentId, task, name, worktree }: UpdateOf<"subagent_update">,
): Promise<Agent | { rejected: string }> {
  const { scope, agent: parent } = parentTurn;
  const plan = await planChild(parentTurn, { task, ...(name === undefined ? {} : { agent: name }) });
  if ("rejected" in plan) return plan;
  const place = worktree ? placeOf(scope, worktree.path) : parent.place;
  return createAgent(scope, childAgentId, parent.depth + 1, { ...plan, place });
}

/**
 * Such as `agent-1` and `agent-2`: people type these, and models repeat them. The state knows every agent that the
 * session has had.
 */
function nextAgentId({ agents }: Pick<SessionState, "agents">): string {
  let number = agents.size;
  while (agents.has(`agent-${number}`)) number += 1;
  return `agent-${number}`;
}

function placeOf({ ports, requests: { system } }: Scope, cwd: string): AgentLocation {
  const requests = { ...ports.requests, workspace: () => ports.requests.workspace(cwd) };
  return { cwd, system: new SystemText({ ...system.sources, requests }) };
}

/**
 * The child's turn with its first message: cancelling the parent's turn stops it as well, unless it is in the
 * background.
 */
function beginTurn(turn: Turn, child: Agent, text: string, background: boolean): Turn {
  const { scope, steps, agent: parent } = turn;
  const { ports } = scope;
  const turnId = ports.runtime.ids.next("turn");
  const childTurn = new Turn({ scope, steps, agent: child, turnId, parent: background ? undefined : turn });
  child.turn = childTurn;
  childTurn.record({ sessionUpdate: "state_update", state: "running" });
  const date = dateFor(child, ports.requests.today());
  childTurn.record({
    sessionUpdate: "user_message",
    messageId: ports.runtime.ids.next("message"),
    content: [{ type: "text", text }],
    ...(date.length > 0 ? { attached: date } : {}),
    origin: "subagent",
    fromAgentId: parent.agentId,
  });
  return childTurn;
}
