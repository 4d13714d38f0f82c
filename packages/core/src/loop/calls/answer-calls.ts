import type { StageState } from "../stages/stage-value.ts";
import type { Turn } from "../turn/turn.ts";
import { CallStream } from "./call-stream.ts";

/**
 * tool_exec/10-exec: runs the calls of a reply in order, and side by side if that makes no difference. Each gets a
 * result.
 */
export async function answerCalls(state: StageState<"tool_exec">, turn: Turn): Promise<StageState<"tool_exec">> {
  if (state.nextState) return state;
  const calls = turn.calls ?? new CallStream(turn, state.reply);
  const results = await calls.answer(state);
  const failure = turn.takeStepFailure();
  if (failure) throw failure;
  return { results, nextState: "tool_done" };
}
