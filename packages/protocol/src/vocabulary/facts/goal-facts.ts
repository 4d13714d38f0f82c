import * as z from "zod";
import { spent, updateRow } from "./update-row.ts";

/** Limits of the work towards a goal. `rounds`: how often it is checked at most. */
const GoalBudget = z.object({ rounds: z.number(), tokens: z.number().optional(), usd: z.number().optional() });
export type GoalBudget = z.infer<typeof GoalBudget>;

/** The text of a goal, in UTF-16 units. */
export const MAX_GOAL_LENGTH = 4_000;

export const goalFacts = {
  goal_update: updateRow("goal_update", "A goal was set, checked, paused, met or dropped (`/goal`).", {
    goal: z.string(),
    /** `active` holds during the turn that works towards it, and no longer. */
    state: z.enum(["active", "paused", "met", "cleared"]),
    budget: GoalBudget,
    /** Checks since it was set or resumed. */
    rounds: z.number(),
    /** Use of the session when it was set or resumed. */
    since: z.object({ tokens: z.number(), usd: z.number(), unpricedRequests: z.number() }),
    /** The finding of the last check, or why it is paused. */
    reason: z.string().optional(),
    /** For the request of the check. */
    ...spent,
  }),
};
