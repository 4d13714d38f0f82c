import { diskProblem, errorCode } from "@harness/host";
import { GitError } from "../checkpoints/store-git.ts";
import { repositoryGit } from "./repository-git.ts";

/** `root`: the repository; `folder`: where the worktree is made; `branch`: a new branch, at the commit of the repository. */
export type WorktreeOrder = { root: string; folder: string; branch: string };

/**
 * Adds a worktree to a repository, whose files are those that `fill` writes into its folder: git shows how they differ
 * from the commit. Throws what fails, and then leaves no branch; the caller removes the folder.
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

/** Describes what fails, after what it means for the user. */
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
