import * as z from "zod";

/**
 * How far the files of a project may change a setting. `any`: every project; `trusted`: a trusted one; `lower`: less
 * than the user's number; `stricter`: a stricter value of the `scale`; `stricterUntrusted`: the same, and any value
 * once it is trusted; `adds` and `addsTrusted`: more entries of a list, never fewer.
 */
export type ProjectReach = "any" | "trusted" | "lower" | "stricter" | "stricterUntrusted" | "adds" | "addsTrusted";

/**
 * When a change takes effect in open sessions. `now`: also for an open permission request; `next request`: when the
 * model is asked next, even within a turn; `new sessions`: not in them, only in those created after it.
 */
export const TakesEffect = z.enum(["now", "next request", "new sessions", "new windows"]);
export type TakesEffect = z.infer<typeof TakesEffect>;

/** The groups of the Settings screen, in its order. */
export const SettingGroup = z.enum([
  "Model",
  "Keys and logins",
  "Permissions",
  "Sandbox and network",
  "Files and undo",
  "Context",
  "Limits",
  "Typing",
  "Look",
]);
export type SettingGroup = z.infer<typeof SettingGroup>;

export type SettingRow = {
  /** Its name for people: two to five words. */
  title: string;
  group: SettingGroup;
  doc: string;
  takesEffect: TakesEffect;
  schema: z.ZodType;
  default: string | number | boolean | null | readonly string[];
  /** Environment variable that overrides the files. */
  env?: string;
  /** The variable of another local agent with this meaning, for those who come from it; `env` wins. */
  otherEnv?: string;
  /** Absent: not at all, not even by a trusted project. */
  project?: ProjectReach;
  /** From the strictest value to the loosest. */
  scale?: readonly (string | boolean)[];
  /** Values of older versions, with their current names. */
  olderValues?: Readonly<Record<string, string>>;
};
