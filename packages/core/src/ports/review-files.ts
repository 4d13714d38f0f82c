import type { Block, HunkAnswer, ReviewHunk, StagedFile } from "@harness/protocol";

/** What waits for a review. */
export type ReviewDraft = {
  hunks: ReviewHunk[];
  /** The same for clients that show whole files. */
  preview: Block[];
  /** Files that are no longer what the changes were made for. */
  outdated: StagedFile[];
  /** The text of each file after these answers; undefined: it is removed. Files of which nothing is taken are left out. */
  decide(answers: readonly HunkAnswer[]): { file: StagedFile; text: string | undefined }[];
};

/** `written`: files that had this content already. */
export type ReviewFailure = { problem: string; written: StagedFile[] };

/** Reads and writes the files of a review. Neither method rejects. */
export interface ReviewFiles {
  /** What is staged is still there after the session was closed. */
  readonly outlasts: boolean;
  draft(files: readonly StagedFile[]): Promise<ReviewDraft>;
  /** Writes all of them or none; a file that has this content already counts as written. */
  apply(files: readonly StagedFile[]): Promise<ReviewFailure | undefined>;
}
