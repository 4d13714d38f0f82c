import type { UpdateOf } from "../vocabulary/updates.ts";
import type { TranscriptItem } from "./transcript-item.ts";

/** The goal of a session, as of its last change. */
export type GoalState = Omit<UpdateOf<"goal_update">, "sessionUpdate" | "usage" | "cost" | "provider" | "model">;

/** A change of a goal as people see it. */
type GoalNotice = Pick<Extract<TranscriptItem, { kind: "notice" }>, "severity" | "title" | "description">;

/** The part of a change that people see. */
type GoalChangeView = Pick<GoalState, "state" | "budget" | "rounds" | "reason">;

/** Takes the change, and shows it in the transcript. */
export function applyGoal(
  state: { goal?: GoalState },
  items: TranscriptItem[],
  { goal, state: now, budget, rounds, since, reason }: UpdateOf<"goal_update">,
  { seq, at = "" }: { seq?: number; at?: string },
): void {
  state.goal = { goal, state: now, budget, rounds, since, ...(reason !== undefined && { reason }) };
  const shown = goalNotice(state.goal);
  if (shown) items.push({ kind: "notice", id: `n${seq ?? at}`, ...shown, at });
}

/** Shows people how a goal has changed; the message that sets one shows that itself. */
export function goalNotice({ state, budget, rounds, reason = "" }: GoalChangeView): GoalNotice | undefined {
  const more = reason === "" ? {} : { description: reason };
  switch (state) {
    case "active":
      if (rounds === 0) return undefined;
      return { severity: "info", title: `The goal is not met yet (check ${rounds} of ${budget.rounds}).`, ...more };
    case "met":
      return { severity: "info", title: `The goal is met (check ${rounds} of ${budget.rounds}).`, ...more };
    case "paused": {
      const next = "/goal resume goes on, /goal clear drops it.";
      return { severity: "warning", title: `The goal is paused: ${reason}`, description: next };
    }
    case "cleared":
      return { severity: "info", title: "The goal was dropped." };
  }
}
