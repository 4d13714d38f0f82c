import { askToContinue } from "./questions/ask-to-continue.ts";
import { EMPTY_DRAFT, type StageState } from "./stages/stage-value.ts";
import type { Turn } from "./turn/turn.ts";
import { waitForMessages } from "./turn/wait-for-messages.ts";

const HINT =
  "You are stuck in a loop: the same calls have returned the same results three times. Stop and think: what do you expect to change? Try another approach, or say what is blocking you.";

/** tool_done/10-save: a turn that repeats itself gets a hint, and the second time the user decides. */
export async function breakLoops(state: StageState<"tool_done">, turn: Turn): Promise<StageState<"tool_done">> {
  if (state.nextState) return state;
  const again = { ...EMPTY_DRAFT, nextState: "assemble" } as const;
  if (turn.signal.aborted) return again;
  const loops = turn.loops.add(state.results).filter(({ period }) => period > 0);
  if (loops.length === 0) return again;
  // The turn checks on its subagents: stopping it would stop them, and what they send is news.
  if (turn.agent.awaited.length > 0 && loops.every(({ call }) => !call.isError)) {
    await waitForMessages(turn);
    return again;
  }
  const failing = loops.some(({ call, period }) => period === 1 && call.isError);
  // The user is asked at once about a call that fails for the third time; if nobody can be asked, the model gets a
  // hint.
  const canAskAtOnce = failing && turn.scope.ports.gate.asker.canAskQuestion();
  if (!canAskAtOnce && turn.loops.takeHint()) {
    sayHint(turn);
    return again;
  }
  if (await askToContinue(turn, "The agent repeats the same calls with the same results. Continue?")) {
    sayHint(turn);
    return again;
  }
  if (turn.signal.aborted) return again;
  turn.notice("warning", "Stopped: the agent was stuck in a loop.");
  return turn.done({ stopReason: "loop" });
}

function sayHint(turn: Turn): void {
  const messageId = turn.runtime.ids.next("message");
  turn.record({ sessionUpdate: "user_message", messageId, content: [{ type: "text", text: HINT }], origin: "harness" });
}
