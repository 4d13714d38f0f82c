import * as z from "zod";

/** A file as an agent has read, changed or removed it; or one that others changed, as reported to the agent. */
export const SeenFile = z.object({
  /** Absolute, without links. */
  path: z.string(),
  how: z.enum(["read", "changed", "removed", "changed_outside"]),
  /** Absent if it was removed, or the agent has not seen it yet. */
  sizeBytes: z.number().optional(),
  sha256: z.string().optional(),
  mtimeMs: z.number().optional(),
  /** The lines that it has seen, first and last of each range; absent: all. */
  lines: z.array(z.tuple([z.number(), z.number()])).optional(),
});
export type SeenFile = z.infer<typeof SeenFile>;
