import * as z from "zod";
import { changeCounts, RestoredFile } from "../files/file-changes.ts";
import { updateRow } from "./update-row.ts";

/** Changes of files, and reverts. */
export const undoFacts = {
  checkpoint: updateRow("checkpoint", "The state of the files was stored, so that later changes can be undone.", {
    checkpointId: z.string(),
    /**
     * `turn`: before its first change and at its end; `command`: before a destructive one; `undo`: before a revert;
     * `unsaved`: with the text that the person's editor had of `paths`, before they are changed first.
     */
    reason: z.enum(["turn", "command", "undo", "unsaved"]),
    paths: z.array(z.string()).optional(),
    /** A description of files that were left out; absent if there are none. */
    leftOut: z.string().optional(),
  }),
  turn_changes: updateRow(
    "turn_changes",
    "Changes of the workspace by a turn, found by comparing it before and after.",
    {
      /** Ids of checkpoints. */
      before: z.string(),
      after: z.string(),
      ...changeCounts,
    },
  ),
  rewind_update: updateRow(
    "rewind_update",
    "Changes of files were reverted, messages were hidden, or both; or a redo reverted that.",
    {
      rewindId: z.string(),
      kind: z.enum(["undo", "redo", "rewind"]),
      /** The turns whose file changes were reverted, or restored by a redo. */
      turnIds: z.array(z.string()),
      /** Ids of the checkpoints before and after it; absent if no files were touched. */
      before: z.string().optional(),
      after: z.string().optional(),
      files: z.array(RestoredFile),
      /** A summary in sentences that every front shows; absent if an older version wrote it. */
      title: z.string().optional(),
      /** The files by their outcome. */
      description: z.string().optional(),
      /** Messages of the main agent from this `seq` up to this fact are hidden: not shown, not sent. */
      fromSeq: z.number().optional(),
      /**
       * Messages were changed in their files: those from `fromSeq` on follow again as they are now, and nothing else of
       * what came since then is hidden. A redo does not bring these back.
       */
      fromFiles: z.literal(true).optional(),
      /** The ids of messages and calls whose files are gone. */
      gone: z.array(z.string()).optional(),
      /** The number of the user's messages among them. */
      goneTurns: z.number().optional(),
      /** The checkpoint before a command to which a turn was reverted; earlier changes of that turn stay. */
      toCheckpoint: z.string().optional(),
      /** Changes of that turn up to there; absent if unknown. */
      left: z.object(changeCounts).optional(),
      /** For a redo: the `rewindId` that it reverts; its messages are shown again. */
      redoOf: z.string().optional(),
    },
  ),
};
