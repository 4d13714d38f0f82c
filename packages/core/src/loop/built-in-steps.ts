import { ROOT_AGENT } from "@harness/protocol";
import { titleOf } from "../context/title-of.ts";
import { breakLoops } from "./break-loops.ts";
import { answerCalls } from "./calls/answer-calls.ts";
import { addSystem, prepareMessages } from "./prepare-messages.ts";
import { requestReply } from "./replies/request-reply.ts";
import { saveReply } from "./replies/save-reply.ts";
import type { StageValue, Step } from "./stages/stage.ts";
import type { Turn } from "./turn/turn.ts";

/** The steps of a turn that come with harness, one row each. Hooks of the same stage and name replace them. */
export const builtInSteps: readonly Step<Turn>[] = [
  { stage: "start", name: "10-init", run: startTurn },
  { stage: "assemble", name: "10-messages", run: prepareMessages },
  { stage: "assemble", name: "20-tools", run: (value, turn) => ({ ...value, tools: turn.agent.toolbox.specs }) },
  { stage: "assemble", name: "30-prompts", run: addSystem },
  { stage: "send", name: "10-send", run: requestReply },
  { stage: "receive", name: "10-save", run: saveReply },
  { stage: "tool_exec", name: "10-exec", run: answerCalls },
  { stage: "tool_done", name: "10-save", run: breakLoops },
  { stage: "error", name: "10-display", run: endWithError },
];

/** A session that has no title is called after its first message. */
function startTurn(_value: StageValue, { agent, scope }: Turn): StageValue {
  const { state } = scope.journal;
  if (agent.agentId === ROOT_AGENT && state.title === undefined) {
    const words = agent.projection.lastWords?.text ?? "";
    const title = titleOf(words);
    if (title) scope.journal.append({ agentId: ROOT_AGENT, update: { sessionUpdate: "session_info_update", title } });
  }
  return { nextState: "assemble" };
}

function endWithError(value: StageValue, turn: Turn): StageValue {
  const error = value.error ?? { kind: "internal" as const, message: "The turn failed; nobody said why." };
  turn.end = { stopReason: "error", error };
  return { output: `error: ${error.message}` };
}
