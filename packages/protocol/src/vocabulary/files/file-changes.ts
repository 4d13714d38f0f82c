import * as z from "zod";

/**
 * One file of the workspace between two checkpoints; `path` is relative to the workspace. Lines of binary files are not
 * counted; `binary` is absent in older sessions.
 */
export const FileChange = z.object({
  path: z.string(),
  change: z.enum(["create", "modify", "delete"]),
  added: z.number(),
  removed: z.number(),
  binary: z.literal(true).optional(),
});
export type FileChange = z.infer<typeof FileChange>;

/** One file with its changes. `hunks`: a unified diff without file headers; `note`: why it is empty or cut. */
export const FileDiff = FileChange.extend({ hunks: z.string(), note: z.string().optional() });
export type FileDiff = z.infer<typeof FileDiff>;

/** Fields of a fact that count changes of files. */
export const changeCounts = {
  /** The first 500; `moreFiles` says how many are not listed. */
  files: z.array(FileChange),
  moreFiles: z.number(),
  added: z.number(),
  removed: z.number(),
};
export type ChangeCounts = { files: FileChange[]; moreFiles: number; added: number; removed: number };

/**
 * The outcome for one file when changes were reverted. `kept`: left unchanged, for the reason `why`. `failed`: the
 * system refused for the reason `why`, and the file is still to be reverted.
 */
export const RestoredFile = z.object({
  path: z.string(),
  outcome: z.enum(["restored", "merged", "deleted", "kept", "failed"]),
  why: z.string().optional(),
});
export type RestoredFile = z.infer<typeof RestoredFile>;
