import * as z from "zod";

/** A file that the person has pinned: each request has its text. */
export const PinnedFile = z.object({
  /** Absolute. */
  path: z.string(),
  /** Counted from 1, both of them included; absent: all of it. */
  lines: z.object({ first: z.number(), last: z.number() }).optional(),
});
export type PinnedFile = z.infer<typeof PinnedFile>;

/** A file whose text a message brings, with the hash of what it was. `name`: its path, with the lines. */
export const KnownText = z.object({ name: z.string(), sha256: z.string() });
