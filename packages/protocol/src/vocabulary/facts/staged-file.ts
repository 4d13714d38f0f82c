import * as z from "zod";
import { updateRow } from "./update-row.ts";

/**
 * A change of a file that is kept beside the workspace. `base`: SHA-256 of the file that it replaces, null if there is
 * none. `content`: the file that holds the new text, null if the file is deleted. `like`: the file whose mode a new
 * file gets. `taken`: the user has accepted it and it is being written; `ended`: it is written, or rejected. `agents`:
 * who made the change, in order; absent if an older version wrote it.
 */
export const StagedFile = z.object({
  path: z.string(),
  base: z.string().nullable(),
  content: z.string().nullable(),
  like: z.string().optional(),
  standing: z.enum(["waiting", "taken", "ended"]),
  agents: z.array(z.string()).optional(),
});
export type StagedFile = z.infer<typeof StagedFile>;

/** Changes that wait for a review. */
export const stagedFacts = {
  staged_update: updateRow(
    "staged_update",
    "File changes wait for a review, or no longer; an entry replaces the earlier one for its path.",
    { files: z.array(StagedFile) },
  ),
};
