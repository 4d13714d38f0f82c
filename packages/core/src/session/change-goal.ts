import { ROOT_AGENT } from "@harness/protocol";
import { goalChange } from "../loop/goal/goal-facts.ts";
import type { Scope } from "../loop/turn/scope.ts";
import type { GoalChange, LiveSession } from "../ports/live-session.ts";
import type { TurnQueue } from "./turn-queue.ts";

const NOTHING_TO = {
  resume: "No goal is paused.",
  pause: "There is no goal that is worked on.",
  clear: "There is no goal.",
  set: "",
} as const;

/** Changes the goal at a person's request. It begins before its turn does, and can be dropped at any moment. */
export function changeGoal(
  { journal }: Scope,
  queue: TurnQueue,
  change: GoalChange,
): ReturnType<LiveSession["changeGoal"]> {
  const unsaved = queue.unsaved();
  if (unsaved) return unsaved;
  const wish = typeof change === "object" ? "set" : change;
  if ((wish === "set" || wish === "resume") && queue.isAtWork)
    return { problem: "The agent is at work. Stop it first, or wait for its end." };
  const update = goalChange(journal.state, change);
  if (!update) return { problem: NOTHING_TO[wish] };
  journal.record({ agentId: ROOT_AGENT, update });
  return undefined;
}
