import type { ToolOutcome } from "@harness/protocol";
import { LogWriteError } from "../ports/session-log.ts";
import { pauseGoal } from "./goal/goal-facts.ts";
import { followStages } from "./stages/stage.ts";
import type { StageName, Transition, TurnEnd } from "./stages/stage-value.ts";
import type { Agent } from "./turn/agent.ts";
import { drainMail } from "./turn/drain-inbox.ts";
import { wakeAgents } from "./turn/scope.ts";
import type { Turn } from "./turn/turn.ts";

/**
 * Follows the stages of a turn to its end and closes it: subagents stopped, every call answered, idle as the last fact.
 * Never rejects. The turn's running state and its message are facts already.
 */
export async function runTurn(turn: Turn): Promise<TurnEnd> {
  const { scope, agent } = turn;
  const { report } = turn.runtime;
  const start: Transition = { agentId: agent.agentId, nextState: "start" };
  let end: TurnEnd = { stopReason: "end_turn" };
  const endWatch = agent.budget.watch(turn.runtime.clock, () => turn.controller.abort());
  try {
    const stepsOf = async (stage: StageName) => {
      await turn.runtime.pace();
      return turn.stepsOf(stage);
    };
    end = await followStages(stepsOf, start, turn, report);
  } catch (error) {
    if (!(error instanceof LogWriteError)) end = failedEnd(turn, error);
  }
  endWatch();
  // Nothing may still run when the turn has ended, whatever ended it.
  await turn.calls?.settle().catch(() => undefined);
  await stopChildren(agent);
  await turn.runtime.pace();
  try {
    if (agent.depth === 0) await scope.calls.checkpoints.afterTurn(turn);
  } catch (error) {
    if (!(error instanceof LogWriteError)) report(error, "checkpoints.afterTurn");
  }
  try {
    end = closeTurn(turn, end);
  } catch (error) {
    if (!(error instanceof LogWriteError)) end = failedEnd(turn, error);
  }
  const { halted } = scope.journal;
  if (halted !== undefined) end = turn.endUnsaved(halted);
  agent.turn = undefined;
  wakeAgents(scope);
  return end;
}

function failedEnd(turn: Turn, error: unknown): TurnEnd {
  turn.runtime.report(error, "turn");
  const message = "harness had an internal error; its log has the details.";
  return { stopReason: "error", error: { kind: "internal", message } };
}

async function stopChildren({ awaited: children }: Agent): Promise<void> {
  for (const { turn } of children) turn.controller.abort();
  await Promise.all(children.map(({ ended }) => ended));
}

function closeTurn(turn: Turn, reached: TurnEnd): TurnEnd {
  const { agent, scope, signal, usage, cost } = turn;
  if (scope.journal.halted !== undefined) return reached;
  // The results of subagents belong to this turn. Messages that a subagent has not read when it ends are dropped.
  if (agent.depth === 0) drainMail(turn);
  for (const { toolCallId, started } of scope.journal.open.callsOf(agent.agentId)) {
    const outcome = leftOpen(started, signal.aborted);
    turn.record({ sessionUpdate: "tool_call_update", toolCallId, status: "failed", outcome });
  }
  const end: TurnEnd = signal.aborted ? { stopReason: agent.budget.isOverTime ? "budget" : "cancelled" } : reached;
  pauseGoal(turn, end);
  const counted = { ...(Object.keys(usage).length > 0 ? { usage } : {}), ...(cost ? { cost } : {}) };
  const { output = turn.output, ...way } = end;
  // The reply is in the log as the model gave it: only what differs is said again.
  const changes = output === turn.output ? {} : { output };
  turn.say(output);
  turn.record({ sessionUpdate: "state_update", state: "idle", ...way, ...changes, ...counted });
  return end;
}

/** The result of a call that no step has answered. */
function leftOpen(started: boolean, isCancelled: boolean): ToolOutcome {
  const text = started
    ? "the call was broken off: it is unknown whether it took effect."
    : "the turn ended before the call was run.";
  return { status: isCancelled ? "cancelled" : "error", text, blocks: [], durationMs: 0 };
}
