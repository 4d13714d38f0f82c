import type { AgentRun, UpdateOf } from "@harness/protocol";
import { cutResult } from "../context/cut-result.ts";
import { estimateTokens } from "../context/tokens/estimate-tokens.ts";
import { resultLimitChars } from "../context/tokens/usable-tokens.ts";
import type { CallContext } from "../loop/calls/run-call.ts";
import { coreAliases, coreTools } from "../loop/core-tools.ts";
import { runTurn } from "../loop/run-turn.ts";
import type { TurnEnd } from "../loop/stages/stage-value.ts";
import { Agent, type AgentSeed } from "../loop/turn/agent.ts";
import { dateFor } from "../loop/turn/drain-inbox.ts";
import type { Scope } from "../loop/turn/scope.ts";
import { Turn } from "../loop/turn/turn.ts";
import { LogWriteError } from "../ports/session-log.ts";
import { type SubagentStart, type SubagentTask, taskText } from "../tools/start-subagent.ts";

const MAX_DEPTH = 4;
const MAX_CHILDREN = 8;

/** Creates an agent of the session with all its tools and core's own. */
export function createAgent(scope: Scope, seed: AgentSeed): Agent {
  const { tools, aliases } = scope.ports.tools;
  const agent = new Agent(seed, { tools: [...tools, ...coreTools(startChild)], aliases: [...aliases, ...coreAliases] });
  scope.agents.set(agent.agentId, agent);
  return agent;
}

/** Starts a child on its task, or returns why not. Throws `LogWriteError`. */
function startChild(order: SubagentTask, { turn, toolCallId }: CallContext): SubagentStart {
  const rejected = refusalFor(turn) ?? taskRefusal(turn, order);
  if (rejected) return { rejected };
  const { scope, stages, agent: parent } = turn;
  const { ports } = scope;
  const agentId = ports.runtime.ids.next("agent");
  try {
    ports.log.addAgent(agentId, parent.agentId);
  } catch (error) {
    ports.runtime.report(error, "log.addAgent");
    return { rejected: "Its log could not be made. Do the task yourself." };
  }
  const { task } = order;
  turn.record({ sessionUpdate: "subagent_update", childAgentId: agentId, toolCallId, task, state: "running" });
  const child = createAgent(scope, { agentId, depth: parent.depth + 1 });
  const childTurn = new Turn({ scope, stages, agent: child, turnId: ports.runtime.ids.next("turn"), parent: turn });
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
  const ended = Promise.resolve()
    .then(() => runTurn(childTurn))
    .then((end) => reportToParent(turn, childTurn, { task, toolCallId }, end));
  turn.children.set(agentId, { turn: childTurn, ended });
  return { subagentId: agentId };
}

function refusalFor({ agent, children }: Turn): string | undefined {
  if (agent.depth >= MAX_DEPTH) return `Subagents may be nested ${MAX_DEPTH} deep at most. Do the task yourself.`;
  if (children.size >= MAX_CHILDREN) {
    return `${MAX_CHILDREN} subagents are running already. Wait for one to end, or do the task yourself.`;
  }
  return undefined;
}

/** The task is the child's first message and stays in all its requests, so that it must leave room for the work. */
function taskRefusal({ choice }: Turn, order: SubagentTask): string | undefined {
  const most = Math.floor((choice?.contextWindow.tokens ?? 8_192) / 4);
  const tokens = estimateTokens(taskText(order).length);
  if (tokens <= most) return undefined;
  return `The task is about ${tokens} tokens long; a subagent takes ${most}, a quarter of its window. Put the facts in a file and name it, or split the task.`;
}

/** The task of the child, and the call that started it. */
type Started = { task: string; toolCallId: string };

/** Records the end of the child in the parent's log, and puts its result into the parent's inbox. */
function reportToParent(parentTurn: Turn, childTurn: Turn, { task, toolCallId }: Started, end: TurnEnd): void {
  const { agent: parent, scope } = parentTurn;
  const childAgentId = childTurn.agent.agentId;
  scope.agents.delete(childAgentId);
  parentTurn.spend(childTurn.usage, childTurn.cost);
  const { state, output } = resultOf(childTurn, end);
  const update: UpdateOf<"subagent_update"> = {
    sessionUpdate: "subagent_update",
    childAgentId,
    toolCallId,
    task,
    state,
    output,
  };
  try {
    parentTurn.record(update);
  } catch (error) {
    if (!(error instanceof LogWriteError)) scope.ports.runtime.report(error, "subagent");
  }
  parentTurn.children.delete(childAgentId);
  const word = state === "completed" ? "COMPLETED" : state === "cancelled" ? "CANCELLED" : "FAILED";
  parent.inbox.put({
    fromAgentId: childAgentId,
    text: `SUBAGENT ${childAgentId} ${word}: ${output}${leftText(scope, childAgentId)}`,
  });
}

/** The processes that a subagent leaves to the session. */
function leftText({ journal }: Scope, agentId: string): string {
  const left = [...journal.state.processes.values()].filter(
    (each) => each.agentId === agentId && each.state === "running",
  );
  const named = left.map(({ processId, command }) => `${processId} (\`${command}\`)`);
  return left.length === 0 ? "" : `\nStill running in the background: ${named.join(", ")}`;
}

function resultOf(childTurn: Turn, end: TurnEnd): { state: AgentRun; output: string } {
  const contextWindow = childTurn.choice?.contextWindow.tokens ?? 8_192;
  const output = cutResult(childTurn.output.trim(), resultLimitChars(contextWindow), undefined);
  if (end.stopReason === "end_turn" || end.stopReason === "max_tokens") {
    return { state: "completed", output: output === "" ? "(it ended without a message)" : output };
  }
  const reason = endText(end);
  const last = output === "" ? "" : ` Its last message: ${output}`;
  return { state: end.stopReason === "cancelled" ? "cancelled" : "failed", output: `${reason}${last}` };
}

function endText({ stopReason, error }: TurnEnd): string {
  switch (stopReason) {
    case "cancelled":
      return "it was cancelled.";
    case "max_turn_requests":
      return "it reached its limit of requests.";
    case "refusal":
      return "the model refused.";
    case "loop":
      return "it was going in circles.";
    default:
      return error?.message ?? "it failed.";
  }
}
