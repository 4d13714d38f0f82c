import type { FileChange, RestoredFile } from "@harness/protocol";

export type CheckpointTaken = {
  /** Names the state of the files; the same files give the same id. */
  checkpointId: string;
  /** Files that are not in it, in words for people: "2 files over 10 MB". */
  leftOut?: string;
};

export type Changes = { files: FileChange[]; moreFiles: number; added: number; removed: number };

/**
 * States of the workspace's files, in a store of our own: it works without a repository and never touches the person's.
 * Secrets, ignored files and files over a size are not in it. Nothing rejects: a problem is a sentence for people.
 */
export interface Checkpoints {
  /** Keeps the files as they are; durable when it resolves. */
  take(signal?: AbortSignal): Promise<CheckpointTaken | { problem: string }>;
  /** What changed from one to another. */
  compare(before: string, after: string): Promise<Changes | { problem: string }>;
  /**
   * Takes the change from `before` to `after` back in the files as they are now, and touches nothing else: what is as
   * `after` left it becomes as `before` had it, what was changed since is merged in three ways, or kept where that clashes.
   */
  revert(
    before: string,
    after: string,
    options?: RevertOptions,
  ): Promise<{ files: RestoredFile[] } | { problem: string }>;
}

export type RevertOptions = {
  /** Paths that stay as they are. */
  skip?: ReadonlySet<string>;
  /** The change was an undo: what it removes, an undo had put there. */
  isRedo?: boolean;
};
