import type { ActiveSkill } from "@harness/protocol";

/** A skill as a model is told of it. */
export type SkillView = { readonly name: string; readonly description: string };

/** The skills that people have written or installed, as they are now. */
export interface SkillSource {
  /** Those that a model may load by itself: the same array for as long as nothing has changed. Costs little. */
  list(): readonly SkillView[];
  /** What an agent is given of one of them, by its name in any case, with the arguments in it; why it is not, as a sentence. */
  load(name: string, args: string): { skill: ActiveSkill } | { problem: string };
}
