import * as z from "zod";

/** A file that an agent has read, changed or removed, as it was then. */
export const SeenFile = z.object({
  /** Absolute, without links. */
  path: z.string(),
  how: z.enum(["read", "changed", "removed"]),
  /** Absent: it was removed. */
  sizeBytes: z.number().optional(),
  sha256: z.string().optional(),
  mtimeMs: z.number().optional(),
});
export type SeenFile = z.infer<typeof SeenFile>;
