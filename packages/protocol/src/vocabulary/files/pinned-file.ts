import * as z from "zod";

/** A file that the user has pinned: each request contains its text. */
export const PinnedFile = z.object({
  /** Absolute. */
  path: z.string(),
  /** Counted from 1, both inclusive; absent: all of it. */
  lines: z.object({ first: z.number(), last: z.number() }).optional(),
});
export type PinnedFile = z.infer<typeof PinnedFile>;

/** A file whose text a message contains, with its hash at that time. `name`: its path, with the lines. */
export const KnownText = z.object({ name: z.string(), sha256: z.string() });
