import type { ToolOutcome } from "@harness/protocol";
import { LogWriteError } from "../ports/session-log.ts";
import { followStages } from "./stages/stage.ts";
import { takeMail } from "./turn/take-inbox.ts";
import type { Turn, TurnEnd } from "./turn/turn.ts";

/**
 * Follows the stages of a turn to its end and closes it: subagents stopped, every call answered, idle as the last fact.
 * Never rejects. The turn's running state and its message are facts already.
 */
export async function runTurn(turn: Turn): Promise<TurnEnd> {
  const { stages, scope } = turn;
  const { ports } = scope;
  try {
    await followStages(stages, turn, (error, where) => ports.runtime.report(error, where));
  } catch (error) {
    if (!(error instanceof LogWriteError)) fail(turn, error);
  }
  await stopChildren(turn);
  try {
    if (turn.agent.depth === 0) await scope.calls.undo.afterTurn(turn);
  } catch (error) {
    if (!(error instanceof LogWriteError)) ports.runtime.report(error, "undo.afterTurn");
  }
  try {
    closeTurn(turn);
  } catch (error) {
    if (!(error instanceof LogWriteError)) fail(turn, error);
  }
  const { halted } = scope.journal;
  if (halted !== undefined) turn.endUnsaved(halted);
  turn.agent.turn = undefined;
  return turn.end;
}

function fail(turn: Turn, error: unknown): void {
  turn.runtime.report(error, "turn");
  turn.end = {
    stopReason: "error",
    error: { kind: "internal", message: "Something went wrong inside harness; its log has the details." },
  };
}

async function stopChildren(parent: Turn): Promise<void> {
  const children = [...parent.children.values()];
  for (const { turn } of children) turn.controller.abort();
  await Promise.all(children.map(({ ended }) => ended));
}

function closeTurn(turn: Turn): void {
  const { agent, scope, signal, usage, cost } = turn;
  if (scope.journal.halted !== undefined) return;
  // What the subagents came to, so that the model does not wait for them in its next turn.
  takeMail(turn);
  for (const { toolCallId, started } of scope.journal.open.callsOf(agent.agentId)) {
    const outcome = leftOpen(started, signal.aborted);
    turn.record({ sessionUpdate: "tool_call_update", toolCallId, status: "failed", outcome });
  }
  if (signal.aborted) turn.end = { stopReason: "cancelled" };
  const counted = { ...(Object.keys(usage).length > 0 ? { usage } : {}), ...(cost ? { cost } : {}) };
  turn.record({ sessionUpdate: "state_update", state: "idle", ...turn.end, ...counted });
}

/** A result for a call that none of the steps has answered. */
function leftOpen(started: boolean, isCancelled: boolean): ToolOutcome {
  const text = started
    ? "the call was broken off: it is unknown whether it took effect."
    : "the turn ended before the call was run.";
  return { status: isCancelled ? "cancelled" : "error", text, blocks: [], durationMs: 0 };
}
