import type { ActiveSkill } from "@harness/protocol";

/** A skill as models see it. */
export type SkillView = { readonly name: string; readonly description: string };

/** The user's skills, written or installed, as they are now. */
export interface SkillSource {
  /** Those that a model may load by itself: the same array as long as nothing has changed. Cheap. */
  list(): readonly SkillView[];
  /**
   * The text of a skill for an agent, by its name in any case, with the arguments filled in; `problem`: why it cannot
   * be loaded.
   */
  load(name: string, args: string): { skill: ActiveSkill } | { problem: string };
}
