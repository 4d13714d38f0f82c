import { type ActiveSkill, ROOT_AGENT } from "@harness/protocol";
import type { Agent } from "../loop/turn/agent.ts";
import type { Scope } from "../loop/turn/scope.ts";

/** Makes an agent use a skill, or no longer, at the user's request. */
export function changeSkill(
  { journal }: Scope,
  root: Agent,
  skill: ActiveSkill,
  state: "active" | "unloaded",
): undefined {
  journal.record({ agentId: ROOT_AGENT, update: { sessionUpdate: "skill_update", skill, state, by: "person" } });
  if (state === "unloaded") root.skillUnloaded(skill.text);
}
