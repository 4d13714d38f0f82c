import * as z from "zod";

/**
 * On a message, or the result of a call, that was read from a file of its session, which people may edit. No agent has
 * worked for it now: nothing was spent, and fronts do not announce it as new.
 */
const FromFile = z.object({
  /** The `seq` of the message that it stands for; absent: it was added by hand. */
  of: z.number().optional(),
  /** It says something else than `of`. */
  changed: z.literal(true).optional(),
  /** Of one that was added: the id of the message or call that it follows; absent: it is the first. */
  after: z.string().optional(),
});
export type FromFile = z.infer<typeof FromFile>;

export const fromFile = FromFile.optional();
