import type { AgentRun } from "@harness/protocol";
import { cutResult } from "../context/cut-result.ts";
import { resultLimitChars } from "../context/tokens/usable-tokens.ts";
import type { TurnEnd } from "../loop/stages/stage-value.ts";
import type { Turn } from "../loop/turn/turn.ts";

/** How a subagent ended, and the result for its parent. */
export function resultOf(childTurn: Turn, end: TurnEnd): { state: AgentRun; output: string } {
  const contextWindow = childTurn.choice?.contextWindow.tokens ?? 8_192;
  const answer = childTurn.output.trim();
  const most = resultLimitChars(contextWindow);
  const output = cutResult(answer, most, answer.length > most ? childTurn.scope.ports.log.saveText(answer) : undefined);
  if (output !== "" && (end.stopReason === "end_turn" || end.stopReason === "max_tokens")) {
    return { state: "completed", output };
  }
  const reason = endText(end, childTurn);
  const last = output === "" ? "" : ` Its last message: ${output}`;
  return { state: end.stopReason === "cancelled" ? "cancelled" : "failed", output: `${reason}${last}` };
}

function endText({ stopReason, error }: TurnEnd, { agent }: Turn): string {
  switch (stopReason) {
    case "cancelled":
      return "it was cancelled.";
    case "max_turn_requests":
      return "it reached its request limit.";
    case "budget":
      return `it ${agent.budget.exhausted ?? "used up its budget"}.`;
    case "refusal":
      return "the model refused.";
    case "end_turn":
      return "it ended without a message.";
    case "max_tokens":
      return "the model reached its output limit before it said anything.";
    case "loop":
      return "it was stuck in a loop.";
    default:
      return error?.message ?? "it failed.";
  }
}
