import { mayGoOn } from "./questions/may-go-on.ts";
import type { StageValue } from "./stages/stage.ts";
import type { Turn } from "./turn/turn.ts";

const HINT =
  "You are going in circles: the same calls came back with the same results three times. Stop and think: what do you expect to be different? Try another way, or say what stands in the way.";

/** tool_done/10-save: a turn that repeats itself gets a hint, and the second time a person decides. */
export async function breakLoops(value: StageValue, turn: Turn): Promise<StageValue> {
  const again: StageValue = { nextState: "assemble" };
  if (turn.signal.aborted) return again;
  const loops = turn.loops.add(value.results ?? []).filter(({ period }) => period > 0);
  if (loops.length === 0) return again;
  const failing = loops.some(({ call, period }) => period === 1 && call.isError);
  // A call that fails for the third time needs a person at once; without one the model has to think of something.
  if (!turn.hinted && !(failing && turn.scope.ports.gate.asker.canAskQuestion())) {
    turn.hinted = true;
    sayHint(turn);
    return again;
  }
  if (await mayGoOn(turn, "The agent repeats the same calls with the same results. Continue?")) {
    sayHint(turn);
    return again;
  }
  if (turn.signal.aborted) return again;
  turn.end = { stopReason: "loop" };
  turn.notice("warning", "Stopped: the agent was going in circles.", "Tell it what to try instead.");
  return { nextState: "done" };
}

function sayHint(turn: Turn): void {
  const messageId = turn.runtime.ids.next("message");
  turn.record({ sessionUpdate: "user_message", messageId, content: [{ type: "text", text: HINT }], origin: "harness" });
}
