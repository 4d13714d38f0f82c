import { type Fact, type GoalState, ROOT_AGENT, type SessionState } from "@harness/protocol";
import type { GoalChange } from "../../ports/live-session.ts";
import type { TurnEnd } from "../stages/stage-value.ts";
import type { Turn } from "../turn/turn.ts";
import { usedSoFar } from "./goal-budget.ts";

type GoalFact = Extract<Fact, { sessionUpdate: "goal_update" }>;

/** The fact that a person's wish becomes; undefined if it changes nothing. */
export function goalChange(state: SessionState, change: GoalChange): GoalFact | undefined {
  const { goal } = state;
  const since = usedSoFar(state);
  if (typeof change === "object")
    return {
      sessionUpdate: "goal_update",
      goal: change.goal,
      state: "active",
      budget: change.budget,
      rounds: 0,
      since,
    };
  if (!goal || goal.state === "met" || goal.state === "cleared") return undefined;
  const { reason: _, ...kept } = goal;
  if (change === "clear") return { sessionUpdate: "goal_update", ...kept, state: "cleared" };
  if (change === "pause") return goalPaused(state, "you have paused it.");
  return goal.state === "paused"
    ? { sessionUpdate: "goal_update", ...kept, state: "active", rounds: 0, since }
    : undefined;
}

/** The fact that pauses a goal; undefined if none is worked on. */
export function goalPaused({ goal }: SessionState, reason: string): GoalFact | undefined {
  return goal?.state === "active" ? { sessionUpdate: "goal_update", ...goal, state: "paused", reason } : undefined;
}

const reasons: { readonly [R in TurnEnd["stopReason"]]?: string } = {
  cancelled: "the turn was stopped.",
  error: "the turn failed.",
  refusal: "the model refused to go on.",
  loop: "the agent was stuck in a loop.",
  max_tokens: "an answer was cut off at the model's output limit.",
  max_turn_requests: "the turn has reached its limit of requests.",
  budget: "the budget of the session is used up.",
};

/** A goal is worked on only as long as a turn runs. Throws `LogWriteError`. */
export function pauseGoal(turn: Turn, { stopReason }: TurnEnd): void {
  if (turn.agent.agentId !== ROOT_AGENT) return;
  const fact = goalPaused(turn.scope.journal.state, reasons[stopReason] ?? "the turn has ended.");
  if (fact) turn.record(fact);
}

/** As `/goal` tells it. */
export function goalText(goal: GoalState | undefined): string {
  if (!goal || goal.state === "cleared") return "There is no goal. /goal TEXT sets one.";
  const { rounds, budget, reason } = goal;
  const limits = [
    `${budget.rounds} ${budget.rounds === 1 ? "check" : "checks"}`,
    ...(budget.tokens === undefined ? [] : [`${budget.tokens.toLocaleString("en-US")} tokens`]),
    ...(budget.usd === undefined ? [] : [`$${budget.usd}`]),
  ].join(", ");
  const said = reason === undefined ? "" : ` ${reason}`;
  const now = {
    active: `Working towards it, ${rounds} of ${budget.rounds} checks so far.${said}`,
    paused: `Paused:${said} /goal resume goes on, /goal clear drops it.`,
    met: `Met:${said}`,
  }[goal.state];
  return `Goal: ${goal.goal}\n${now}\nLimits: ${limits}.`;
}
