import type { FileChange, FileDiff, RestoredFile } from "@harness/protocol";

export type CheckpointTaken = {
  /** Identifies the state of the files; the same files give the same id. */
  checkpointId: string;
  /** The files that it leaves out, as text for people: "2 files over 10 MB". */
  leftOut?: string;
};

export type Changes = { files: FileChange[]; moreFiles: number; added: number; removed: number };

/**
 * States of the workspace's files, in a store of our own that works without a repository and never touches the
 * person's. It leaves out secrets, ignored files and large files. No method rejects: a problem is a sentence for
 * people.
 */
export interface Checkpoints {
  /** Was a state of the files ever stored to its end? The first one takes long where there are many files. */
  hasAny(): boolean;
  /**
   * Stores the files as they are; durable when it resolves. If it is stopped, the files stored so far need not be
   * stored again.
   */
  take(signal?: AbortSignal): Promise<CheckpointTaken | { problem: string }>;
  /** Lists the changes from one state to another. */
  compare(before: string, after: string): Promise<Changes | { problem: string }>;
  /**
   * Compares files over several stretches of time, each from `before` to `after` and, with `paths`, in those files alone:
   * each file from its first state to its last. A page of them, in the order of paths.
   */
  diff(stretches: readonly CheckpointSpan[], page: DiffPage): Promise<FileDiffs | { problem: string }>;
  /**
   * Reverts the change from `before` to `after` in the files as they are now, and nothing else. A file as `after` left
   * it becomes as in `before`; one that was changed since is merged in three ways, or kept where that conflicts. A file
   * that the system refuses to write is `failed`, and can be tried again.
   */
  revert(
    before: string,
    after: string,
    options?: RevertOptions,
  ): Promise<{ files: RestoredFile[] } | { problem: string }>;
}

export type CheckpointSpan = { before: string; after: string; paths?: readonly string[] };
export type DiffPage = { offset: number; limit: number };
/** `nextOffset`: there are more. The counts are of all files. */
export type FileDiffs = {
  files: FileDiff[];
  nextOffset?: number;
  changedFiles: number;
  added: number;
  removed: number;
};

export type RevertOptions = {
  /** Is the file reverted? Absent: all of them are. */
  includes?(path: string): boolean;
  /** The change was an undo: files that it removes were put there by an undo. */
  isRedo?: boolean;
};
