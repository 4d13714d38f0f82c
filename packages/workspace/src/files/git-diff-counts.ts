import { gitOutput } from "@harness/host";
import type { SimpleGit, StatusResult } from "simple-git";
import type { GitEnvironments } from "./git-env.ts";
import { type GitOperation, readGitOperation } from "./git-operation.ts";
import { findRepository } from "./git-state.ts";
import type { NewFileLines } from "./new-file-lines.ts";

/**
 * `uncounted`: new files among the changed ones whose lines are not in `added`, because they are too many or too large.
 * `branch`: a tag or a short commit if HEAD is detached. `ahead`, `behind`: of the upstream branch, if not 0.
 */
export type GitCounts = {
  branch: string;
  isDetached?: true;
  operation?: GitOperation["operation"];
  ahead?: number;
  behind?: number;
  added: number;
  removed: number;
  changedFiles: number;
  uncounted?: number;
};

/** Why git says nothing about a repository, in a few words. */
export type GitSilence = { problem: string };

/** simple-git refuses these as dangerous; `GitEnvironments` sets them to switch features off. */
const ourOwnSettings = {
  allowUnsafeConfigEnvCount: true,
  allowUnsafePager: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeHooksPath: true,
  allowUnsafeFilter: true,
};

const PATIENCE_MS = 5_000;

/** Submodules have their own configurations, and so filters: git never enters them. */
const withoutSubmodules = "--ignore-submodules=all";

/**
 * Where HEAD is and the uncommitted changes against it, including new files. Undefined outside a repository and if git
 * fails: no number is better than a wrong one.
 */
export async function readGitCounts(
  cwd: string,
  environments: GitEnvironments,
  newFiles: NewFileLines,
): Promise<GitCounts | GitSilence | undefined> {
  const env = await environments.withoutFilters(cwd, PATIENCE_MS);
  if (!env) return undefined;
  const { simpleGit } = await import("simple-git");
  try {
    const git = simpleGit({
      baseDir: cwd,
      maxConcurrentProcesses: 1,
      timeout: { block: PATIENCE_MS },
      unsafe: ourOwnSettings,
      allowEnvironment: Object.keys(env).filter((name) => name.startsWith("GIT_")),
    }).env(env);
    const status = await git.status(["--no-renames", withoutSubmodules]);
    const repository = await findRepository(cwd);
    const counts: GitCounts = {
      ...(await headOf(git, status, repository?.gitDir)),
      added: 0,
      removed: 0,
      changedFiles: status.files.length,
    };
    if (counts.changedFiles === 0) return counts;
    const diff = ["diff", "HEAD", "--numstat", "--no-ext-diff", "--no-textconv", withoutSubmodules];
    const numstat = await git.raw(diff).catch(() => "");
    for (const line of numstat.split("\n")) {
      // Binary files have "-" in both columns.
      const [added, removed] = line.split("\t").map(Number);
      counts.added += added || 0;
      counts.removed += removed || 0;
    }
    const found =
      status.not_added.length > 0 && repository && (await newFiles.count(repository.root, env, PATIENCE_MS));
    if (!found) return counts;
    // Status lists a folder of new files only once.
    const changedFiles = counts.changedFiles - status.not_added.length + found.files;
    if (!found.isWhole) return { ...counts, changedFiles, uncounted: found.files };
    return { ...counts, changedFiles, added: counts.added + found.lines };
  } catch (error) {
    const isForeign = error instanceof Error && error.message.includes("detected dubious ownership");
    return isForeign ? { problem: "dubious ownership" } : undefined;
  }
}

/** A branch by its name; a detached HEAD by its tag or its commit; in the middle of a rebase the rebased branch. */
async function headOf(
  git: Pick<SimpleGit, "raw">,
  { current, detached, ahead, behind }: StatusResult,
  gitDir: string | undefined,
): Promise<Pick<GitCounts, "branch" | "isDetached" | "operation" | "ahead" | "behind">> {
  const found = gitDir === undefined ? undefined : await readGitOperation(gitDir);
  const { operation } = found ?? {};
  const upstream = { ...(ahead > 0 && { ahead }), ...(behind > 0 && { behind }) };
  const doing = { ...(operation && { operation }), ...upstream };
  if (found?.branch) return { branch: found.branch, ...doing };
  if (!detached && current !== null && current !== "HEAD") return { branch: current, ...doing };
  const [tag] = (await git.raw(["tag", "--points-at", "HEAD", "--sort=-version:refname"])).split("\n");
  const branch = tag || (await git.raw(["rev-parse", "--short", "HEAD"])).trim();
  return { branch, isDetached: true, ...doing };
}

/** Number of changed and untracked files; undefined if git is missing, fails, or takes longer than `timeoutMs`. */
export async function countChangedFiles(
  root: string,
  environments: GitEnvironments,
  timeoutMs: number,
): Promise<number | undefined> {
  const env = await environments.withoutFilters(root, timeoutMs);
  if (!env) return undefined;
  const args = ["status", "--porcelain", "-z", "--no-renames", withoutSubmodules];
  const output = await gitOutput({ command: "git", args, cwd: root, env, timeoutMs, maxOutputBytes: 16 << 20 });
  return output === undefined ? undefined : output.split("\0").length - 1;
}
