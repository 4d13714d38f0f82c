import { gitOutput } from "@harness/host";
import type { GitEnvironments } from "./git-env.ts";
import { findRepository } from "./git-state.ts";
import type { NewFileLines } from "./new-file-lines.ts";

/**
 * `uncounted`: new files among the changed ones whose lines are not in `added`, because they are too many or too large.
 */
export type GitCounts = { branch: string; added: number; removed: number; changedFiles: number; uncounted?: number };

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
 * The branch and the uncommitted changes against HEAD, including new files. Undefined outside a repository and if git
 * fails: no number is better than a wrong one.
 */
export async function readGitCounts(
  cwd: string,
  environments: GitEnvironments,
  newFiles: NewFileLines,
): Promise<GitCounts | undefined> {
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
    const counts: GitCounts = {
      branch: status.current ?? "(detached)",
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
    const repository = status.not_added.length === 0 ? undefined : await findRepository(cwd);
    const found = repository && (await newFiles.count(repository.root, env, PATIENCE_MS));
    if (!found) return counts;
    // Status lists a folder of new files only once.
    const changedFiles = counts.changedFiles - status.not_added.length + found.files;
    if (!found.isWhole) return { ...counts, changedFiles, uncounted: found.files };
    return { ...counts, changedFiles, added: counts.added + found.lines };
  } catch {
    return undefined;
  }
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
