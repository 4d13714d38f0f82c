import { ROOT_AGENT, type StopReason } from "@harness/protocol";
import { startTurn } from "../send-message.ts";
import { misused, type ServerCommand } from "../server-command.ts";

const GO_ON = "Continue where you stopped.";
const STUCK = "Continue, but try another approach: you were stuck in a loop.";

/** Undefined: no turn has run yet. */
const endedItself: ReadonlySet<StopReason | undefined> = new Set([undefined, "end_turn", "refusal"]);

/** Continues a turn that ended before its work was done: at a limit, in a loop, by a failure, or by a cancel. */
export const continueCommand: ServerCommand = {
  description: "Continue a turn that was stopped by a limit, a failure or you.",
  needsSession: true,
  run(context, args) {
    const { session } = context;
    if (args !== "") throw misused("/continue takes no arguments. Send what you want to say as a message.");
    const { state, stopReason } = session.state.agents.get(ROOT_AGENT) ?? {};
    if (state === "idle" && endedItself.has(stopReason))
      return "Nothing to continue: no turn of this session was stopped. Send a message.";
    const text = stopReason === "loop" ? STUCK : GO_ON;
    return startTurn(context, text);
  },
};
