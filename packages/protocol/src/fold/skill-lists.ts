import type { ActiveSkill } from "../vocabulary/skill.ts";
import type { UpdateOf } from "../vocabulary/updates.ts";
import { hideVersions, type ListVersions, newest, showVersions } from "./list-versions.ts";

/** The active skills of an agent over time. */
export type SkillLists = ListVersions<ActiveSkill>;

export type Skills = { skills: readonly ActiveSkill[]; skillLists: SkillLists };

/** For each name, the last one counts. */
export function changeSkills(agent: Skills, seq: number, { skill, state }: UpdateOf<"skill_update">): void {
  const others = agent.skills.filter(({ name }) => name.toLowerCase() !== skill.name.toLowerCase());
  agent.skills = state === "active" ? [...others, skill] : others;
  agent.skillLists.push({ seq, list: agent.skills });
}

/** Removes the changes from this fact on, and returns them. */
export function hideSkills(agent: Skills, fromSeq: number): SkillLists {
  const { kept, hidden } = hideVersions(agent.skillLists, fromSeq);
  agent.skillLists = kept;
  agent.skills = newest(kept);
  return hidden;
}

/** Restores changes that were hidden. */
export function showSkills(agent: Skills, lists: SkillLists): void {
  agent.skillLists = showVersions(agent.skillLists, lists);
  agent.skills = newest(agent.skillLists);
}
