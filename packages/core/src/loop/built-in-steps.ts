import { ROOT_AGENT, type SessionState, saidText } from "@harness/protocol";
import { makeTitle } from "../context/title-of.ts";
import { breakLoops } from "./break-loops.ts";
import { answerCalls } from "./calls/answer-calls.ts";
import { checkGoal, keepGoalBudget } from "./goal/check-goal.ts";
import { addSkills, addSystem, prepareMessages } from "./prepare-messages.ts";
import { requestReply } from "./replies/request-reply.ts";
import { saveReply } from "./replies/save-reply.ts";
import type { Step } from "./stages/stage.ts";
import { EMPTY_DRAFT, type StageState } from "./stages/stage-value.ts";
import type { Turn } from "./turn/turn.ts";

/** The built-in steps of a turn, one row each. Hooks of the same stage and name replace them. */
export const builtInSteps: readonly Step<Turn>[] = [
  { stage: "start", name: "10-init", run: startTurn },
  { stage: "assemble", name: "02-goal", run: keepGoalBudget },
  { stage: "assemble", name: "10-messages", run: prepareMessages },
  { stage: "assemble", name: "20-tools", run: addTools },
  { stage: "assemble", name: "30-prompts", run: addSystem },
  { stage: "assemble", name: "35-skills", run: addSkills },
  { stage: "send", name: "10-send", run: requestReply },
  { stage: "receive", name: "10-save", run: saveReply },
  { stage: "tool_exec", name: "10-exec", run: answerCalls },
  { stage: "tool_done", name: "10-save", run: breakLoops },
  { stage: "done", name: "50-goal", run: checkGoal },
];

/** A session without a title is named after its first message. */
function startTurn(state: StageState<"start">, { agent, scope }: Turn): StageState<"start"> {
  if (state.nextState) return state;
  const { journal } = scope;
  if (agent.agentId === ROOT_AGENT && journal.state.title === undefined) {
    const title = makeTitle(lastSaid(journal.state) ?? agent.projection.lastPrompt?.text ?? "");
    const origin = { by: "message" } as const;
    if (title) journal.append({ agentId: ROOT_AGENT, update: { sessionUpdate: "session_info_update", title, origin } });
  }
  return { ...EMPTY_DRAFT, nextState: "assemble" };
}

function lastSaid({ agents }: SessionState): string | undefined {
  const items = agents.get(ROOT_AGENT)?.items ?? [];
  const last = items.findLast((item) => item.kind === "user" && item.origin === "user");
  return last?.kind === "user" ? saidText(last.content) : undefined;
}

function addTools(state: StageState<"assemble">, { agent }: Turn): StageState<"assemble"> {
  return state.nextState ? state : { ...state, tools: agent.toolbox.specs };
}
