import type { Block, HunkAnswer, ReviewHunk, StagedFile } from "@harness/protocol";

/** The pending edits as a review shows them. */
export type ReviewDraft = {
  hunks: ReviewHunk[];
  /** The same for clients that show whole files. */
  preview: Block[];
  /** Files that have changed since their edits were made. */
  outdated: StagedFile[];
  /**
   * The new text of each file after these answers; undefined if it is removed. Files with no accepted hunk are left
   * out.
   */
  decide(answers: readonly HunkAnswer[]): { file: StagedFile; text: string | undefined }[];
};

/** `written`: files that had this content already. */
export type ReviewFailure = { problem: string; written: StagedFile[] };

/** Reads and writes the files of a review. Neither method rejects. */
export interface ReviewFiles {
  /** Staged edits survive the end of the session. */
  readonly outlasts: boolean;
  draft(files: readonly StagedFile[]): Promise<ReviewDraft>;
  /** Writes all of them or none; a file that has this content already counts as written. */
  apply(files: readonly StagedFile[]): Promise<ReviewFailure | undefined>;
}
