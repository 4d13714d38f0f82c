import { diskProblem, errorCode } from "@harness/host";
import { GitError } from "../checkpoints/store-git.ts";
import { repositoryGit } from "./repository-git.ts";

/** `root`: the repository; `folder`: the folder of the worktree; `branch`: a new branch, at the repository's commit. */
export type WorktreeOrder = { root: string; folder: string; branch: string };

/**
 * Adds a worktree to a repository. `fill` writes its files, and git then shows how they differ from the commit. If
 * something fails, leaves no branch behind and throws; the caller removes the folder.
 */
export async function addWorktree({ root, folder, branch }: WorktreeOrder, fill: () => Promise<void>): Promise<void> {
  try {
    await repositoryGit(root, ["worktree", "add", "-q", "--no-checkout", "--no-track", "-b", branch, folder, "HEAD"]);
    await fill();
    await repositoryGit(folder, ["read-tree", "HEAD"]);
  } catch (error) {
    await repositoryGit(root, ["worktree", "remove", "--force", "--force", folder]).catch(() => undefined);
    // git creates the branch first.
    const isOurs = !(error instanceof GitError && /already exists/.test(error.output));
    if (isOurs) await repositoryGit(root, ["branch", "-q", "-D", branch]).catch(() => undefined);
    throw error;
  }
}

/** Runs work, and describes a failure after its meaning for the user. */
export async function orWorktreeProblem<T>(
  what: string,
  place: string,
  work: () => Promise<T>,
): Promise<T | { problem: string }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GitError) return { problem: `${what} ${error.message}` };
    if (errorCode(error) !== undefined) return { problem: diskProblem(error, "keep a worktree", place) };
    return { problem: `${what} ${error instanceof Error ? error.message : String(error)}` };
  }
}
