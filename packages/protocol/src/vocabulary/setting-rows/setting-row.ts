import * as z from "zod";

/**
 * How far the files of a project may change a setting. `any`: every project; `trusted`: one that the person trusts; `lower`:
 * less than the person's number; `stricter`: a stricter value of the `scale`; `stricterUntrusted`: the same, and any value
 * once it is trusted; `adds` and `addsTrusted`: more entries of a list, never fewer.
 */
export type ProjectReach = "any" | "trusted" | "lower" | "stricter" | "stricterUntrusted" | "adds" | "addsTrusted";

/**
 * When a change takes effect in sessions that are open. `now`: also for a permission request that is open; `next request`:
 * when the model is asked next, also within a turn; `new sessions`: not in them, only in those that begin after it.
 */
export const TakesEffect = z.enum(["now", "next request", "new sessions"]);
export type TakesEffect = z.infer<typeof TakesEffect>;

export type SettingRow = {
  doc: string;
  takesEffect: TakesEffect;
  schema: z.ZodType;
  default: string | number | boolean | null | readonly string[];
  /** Environment variable that overrides the files. */
  env?: string;
  /** Absent: nothing, also in a trusted project. */
  project?: ProjectReach;
  /** From the strictest value to the loosest. */
  scale?: readonly (string | boolean)[];
  /** Values of older versions, and what they are called now. */
  olderValues?: Readonly<Record<string, string>>;
};
