import * as z from "zod";

/** A skill that an agent works with. */
export const ActiveSkill = z.object({
  name: z.string(),
  /** Its SKILL.md. */
  path: z.string(),
  /** The skill's text as sent to the agent. */
  text: z.string(),
});
export type ActiveSkill = z.infer<typeof ActiveSkill>;
