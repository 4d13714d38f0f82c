import { gitEnv, readOnlyGitEnv } from "./git-state.ts";

export type GitCounts = { branch: string; added: number; removed: number; changedFiles: number };

/** simple-git refuses these variables as dangerous; here they come from `readOnlyGitEnv`, which switches things off. */
const ourOwnSettings = {
  allowUnsafeConfigEnvCount: true,
  allowUnsafePager: true,
  allowUnsafeFsMonitor: true,
  allowUnsafeHooksPath: true,
};

/**
 * Branch and uncommitted changes against HEAD. Undefined outside a repository, and when git fails: no number is better
 * than a wrong one.
 */
export async function readGitCounts(cwd: string): Promise<GitCounts | undefined> {
  const { simpleGit } = await import("simple-git");
  const git = simpleGit({
    baseDir: cwd,
    maxConcurrentProcesses: 1,
    timeout: { block: 5_000 },
    unsafe: ourOwnSettings,
    allowEnvironment: Object.keys(readOnlyGitEnv),
  });
  const quiet = git.env(gitEnv());
  try {
    const status = await quiet.status(["--no-renames", "--ignore-submodules=all"]);
    const counts = { branch: status.current ?? "(detached)", added: 0, removed: 0, changedFiles: status.files.length };
    if (counts.changedFiles === 0) return counts;
    const numstat = await quiet.raw(["diff", "HEAD", "--numstat", "--no-ext-diff", "--no-textconv"]).catch(() => "");
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
