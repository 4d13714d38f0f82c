import { type GoalState, ROOT_AGENT, textOf } from "@harness/protocol";
import type { ModelRequest } from "../../ports/provider.ts";
import { EMPTY_DRAFT, type StageState } from "../stages/stage-value.ts";
import { type RequestCost, sideRequest } from "../turn/side-request.ts";
import type { Turn } from "../turn/turn.ts";
import { goalExhausted } from "./goal-budget.ts";
import { goalPaused } from "./goal-facts.ts";
import { checkText, type GoalVerdict, goOnText, readVerdict } from "./goal-texts.ts";

const UNCLEAR = "The check gave no clear answer, which counts as not met.";

/** assemble/02-goal: no request is made for a goal whose budget is used up. */
export function keepGoalBudget(state: StageState<"assemble">, turn: Turn): StageState<"assemble"> {
  if (state.nextState || turn.agent.agentId !== ROOT_AGENT) return state;
  return pausedForBudget(turn) ? turn.done({ stopReason: "budget" }) : state;
}

/** done/50-goal: the agent thinks that it is done; a second request decides whether the goal is met. */
export async function checkGoal(state: StageState<"done">, turn: Turn): Promise<StageState<"done">> {
  if (state.nextState || state.end.stopReason !== "end_turn" || turn.agent.agentId !== ROOT_AGENT) return state;
  const { journal } = turn.scope;
  const { goal } = journal.state;
  if (goal?.state !== "active" || turn.signal.aborted) return state;
  const checked = await verdictOn(goal, turn);
  // A person may have dropped or replaced it meanwhile; what the check has cost counts all the same.
  const now = journal.state.goal ?? goal;
  if (now.state !== "active" || turn.signal.aborted) {
    if (checked.spent) turn.record({ sessionUpdate: "goal_update", ...now, ...checked.spent });
    return state;
  }
  const kept = { ...now, rounds: now.rounds + 1, ...checked.spent };
  if ("problem" in checked) {
    const reason = `it could not be checked. ${checked.problem}`;
    turn.record({ sessionUpdate: "goal_update", ...kept, state: "paused", reason });
    return state;
  }
  const { met, why } = checked.verdict;
  turn.record({ sessionUpdate: "goal_update", ...kept, state: met ? "met" : "active", reason: why });
  if (met) return state;
  if (pausedForBudget(turn)) return { ...state, end: { stopReason: "budget" } };
  const content = [{ type: "text" as const, text: goOnText(now.goal, why) }];
  turn.record({
    sessionUpdate: "user_message",
    messageId: turn.runtime.ids.next("message"),
    content,
    origin: "harness",
  });
  turn.resetRequests();
  return { ...EMPTY_DRAFT, nextState: "assemble" };
}

function pausedForBudget(turn: Turn): boolean {
  const { state } = turn.scope.journal;
  const exhausted = goalExhausted(state);
  const fact = exhausted === undefined ? undefined : goalPaused(state, exhausted);
  if (fact) turn.record(fact);
  return fact !== undefined;
}

type CheckOutcome = ({ verdict: GoalVerdict } | { problem: string }) & { spent?: RequestCost };

/** Asks with the conversation as it was just sent, so that a server needs to read only the question. */
async function verdictOn({ goal }: GoalState, turn: Turn): Promise<CheckOutcome> {
  const { choice, lastRequest, agent, signal, scope } = turn;
  if (!choice || !lastRequest) return { problem: "No model has answered." };
  const question = { role: "user" as const, content: [{ type: "text" as const, text: checkText(goal) }] };
  const { onSent: _, ...sent } = lastRequest;
  const request: ModelRequest = { ...sent, messages: [...agent.projection.messages, question] };
  const about = { agentId: agent.agentId, purpose: "goal" } as const;
  const reply = await sideRequest({ scope, about, choice, request, signal });
  const { spent } = reply;
  if (spent) turn.spend(spent.usage, spent.cost);
  const cost = spent ? { spent } : {};
  if ("failure" in reply) return { problem: reply.failure.message, ...cost };
  if ("without" in reply) return { problem: "The connection to the model broke off.", ...cost };
  const { parts, stop } = reply.end;
  const verdict = stop === "end" ? readVerdict(textOf(parts)) : undefined;
  return { verdict: verdict ?? { met: false, why: UNCLEAR }, ...cost };
}
