import type { RestoredFile } from "@harness/protocol";
import type { Changes, DiffPage, FileDiffs } from "./checkpoints.ts";

/** `base`: the state of the files that it began with. */
export type WorktreeRef = { worktreeId: string; base: string };

/**
 * `path`: the folder in it that corresponds to the session's; real. `leftOut`: what is missing from it, as text for
 * people.
 */
export type NewWorktree = { path: string; branch: string; base: string; leftOut?: string };

/** A state of its files; absent: their current state. */
export type WorktreeState = WorktreeRef & { tree?: string };

/**
 * `tree`: the state of its files that was read. `paths`: all that differ, absolute in the workspace, including those
 * beyond what `files` lists. `leftOut`: changed files that are not among them, as text for people.
 */
export type WorktreeChanges = Changes & { tree: string; paths: string[]; leftOut?: string };

/** `isApplied`: false if nothing was changed; the files say why. */
export type AppliedChanges = { isApplied: boolean; files: RestoredFile[] };

type Problem = { problem: string };

/**
 * Worktrees of the session's repository in which subagents work apart, outside of it and with the changes that are not
 * committed yet. No hook or filter of the repository runs. No method rejects: a problem is a sentence for people. File
 * paths are relative to the session's folder, or absolute if they are not below it.
 */
export interface Worktrees {
  make(worktreeId: string, signal: AbortSignal): Promise<NewWorktree | Problem>;
  /** Its changes, according to its current files. */
  changes(worktree: WorktreeRef): Promise<WorktreeChanges | Problem>;
  /** `paths`: only these files, absolute in the workspace. */
  diff(worktree: WorktreeState, page: DiffPage, paths?: readonly string[]): Promise<FileDiffs | Problem>;
  /** Writes all of it to this path, as \`git diff\` does. */
  saveDiff(worktree: WorktreeRef, path: string): Promise<Problem | undefined>;
  /**
   * Brings the changes of a state that was read into the workspace, by a three-way merge, completely or not at all:
   * later changes in the worktree do not count, and no other path is written. The worktree stays.
   */
  apply(worktree: Required<WorktreeState>): Promise<AppliedChanges | Problem>;
  /** Removes it with its branch. */
  remove(worktreeId: string): Promise<Problem | undefined>;
  /** Removes all others: those of an earlier life that was killed before or after the facts mentioned them. */
  keepOnly(worktreeIds: readonly string[]): Promise<Problem | undefined>;
}
