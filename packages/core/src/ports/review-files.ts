import type { Block, HunkAnswer, ReviewHunk, StagedFile } from "@harness/protocol";

/** What waits for a review: `isTaken` after an answer, where the whole file stays as the agent left it. */
export type ReviewDraft = {
  hunks: ReviewHunk[];
  /** The same for clients that show whole files. */
  preview: Block[];
  /** Files that are no longer what the changes were made for. */
  outdated: StagedFile[];
  /** The text of each file after these answers; undefined: it is removed. Files of which nothing is taken are left out. */
  decide(answers: readonly HunkAnswer[]): { file: StagedFile; text: string | undefined }[];
};

/** Reads and writes the files of a review. Neither method rejects. */
export interface ReviewFiles {
  draft(files: readonly StagedFile[]): Promise<ReviewDraft>;
  /** Writes all of them or none; a file that has this content already counts as written. */
  apply(files: readonly StagedFile[]): Promise<{ problem: string } | undefined>;
}
