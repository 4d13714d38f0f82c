import * as z from "zod";
import { FileChange } from "./file-changes.ts";

/**
 * The git worktree in which an agent works apart. The counts were taken at its end; `open`: its changes are only there.
 */
export const AgentWorktree = z.object({
  worktreeId: z.string(),
  /** The folder that the agent works in; absolute. */
  path: z.string(),
  branch: z.string(),
  /** The state of the files that it began with. */
  base: z.string(),
  /** How many files it has changed. */
  files: z.number(),
  /** Lines. */
  added: z.number(),
  removed: z.number(),
  /** The first 500 of the files. */
  changes: z.array(FileChange).optional(),
  state: z.enum(["open", "applied", "dropped"]),
});
export type AgentWorktree = z.infer<typeof AgentWorktree>;
