import { gitOutput } from "@harness/host";
import type { GitEnvironments } from "./git-env.ts";

export type GitCounts = { branch: string; added: number; removed: number; changedFiles: number };

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
 * The branch and the uncommitted changes against HEAD. Undefined outside a repository, and when git fails: no number is
 * better than a wrong one.
 */
export async function readGitCounts(cwd: string, environments: GitEnvironments): Promise<GitCounts | undefined> {
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
    const counts = { branch: status.current ?? "(detached)", added: 0, removed: 0, changedFiles: status.files.length };
    if (counts.changedFiles === 0) return counts;
    const diff = ["diff", "HEAD", "--numstat", "--no-ext-diff", "--no-textconv", withoutSubmodules];
    const numstat = await git.raw(diff).catch(() => "");
    for (const line of numstat.split("\n")) {
      // Binary files have "-" in both columns.
      const [added, removed] = line.split("\t").map(Number);
      counts.added += added || 0;
      counts.removed += removed || 0;
    }
    return counts;
  } catch {
    return undefined;
  }
}

/** Number of changed and untracked files; undefined when git is missing, fails, or takes longer than `timeoutMs`. */
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
