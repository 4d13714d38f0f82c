import type { FileChange, FileDiff, RestoredFile } from "@harness/protocol";

export type CheckpointTaken = {
  /** Identifies the state of the files; the same files give the same id. */
  checkpointId: string;
  /** The files that are not in it, as text for people: "2 files over 10 MB". */
  leftOut?: string;
};

export type Changes = { files: FileChange[]; moreFiles: number; added: number; removed: number };

/**
 * States of the workspace's files, in a store of our own that works without a repository and never touches the user's.
 * It leaves out secrets, ignored files and large files. No method rejects: a problem is a sentence for people.
 */
export interface Checkpoints {
  /** True if a state of the files was ever stored completely. The first one takes long if there are many files. */
  hasAny(): boolean;
  /**
   * Stores the files as they are; durable when it resolves. If it is stopped, the files stored so far need not be
   * stored again. `unsaved`: contents that count instead of those on disk, by absolute path, for files that are stored.
   */
  take(signal?: AbortSignal, unsaved?: ReadonlyMap<string, Uint8Array>): Promise<CheckpointTaken | { problem: string }>;
  /** Lists the changes from one state to another. */
  compare(before: string, after: string): Promise<Changes | { problem: string }>;
  /**
   * Compares files over several spans, each from `before` to `after` and, with `paths`, only in those files: each file
   * from its first state to its last. Returns one page, in path order.
   */
  diff(stretches: readonly CheckpointSpan[], page: DiffPage): Promise<FileDiffs | { problem: string }>;
  /**
   * Reverts the change from `before` to `after` in the current files, and nothing else. A file that is still as in
   * `after` becomes as in `before`; one that was changed since is merged in three ways, or kept if that conflicts. A
   * file that the system refuses to write is `failed`, and can be tried again.
   */
  revert(
    before: string,
    after: string,
    options?: RevertOptions,
  ): Promise<{ files: RestoredFile[] } | { problem: string }>;
}

export type CheckpointSpan = { before: string; after: string; paths?: readonly string[] };
export type DiffPage = { offset: number; limit: number };
/** `nextOffset`: where the next page begins. The counts are of all files. */
export type FileDiffs = {
  files: FileDiff[];
  nextOffset?: number;
  changedFiles: number;
  added: number;
  removed: number;
};

export type RevertOptions = {
  /** Whether to revert the file. Absent: all are reverted. */
  includes?(path: string): boolean;
  /** The change was an undo: the files that it removes were put there by an undo. */
  isRedo?: boolean;
};
