import { execFile } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";

/**
 * Where a repository keeps its state, found by walking up. `.git` is a folder, or in worktrees and submodules a file
 * with `gitdir: PATH` (gitrepository-layout(5)).
 */
export async function findRepository(cwd: string): Promise<{ root: string; gitDir: string } | undefined> {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const dotGit = join(folder, ".git");
    const info = await stat(dotGit).catch(() => undefined);
    if (info?.isDirectory()) return { root: folder, gitDir: dotGit };
    if (info?.isFile()) {
      const target = /^gitdir: (.+)$/m.exec(await readFile(dotGit, "utf8").catch(() => ""))?.[1];
      if (target) return { root: folder, gitDir: isAbsolute(target) ? target : join(folder, target) };
    }
    if (dirname(folder) === folder) return undefined;
  }
}

/** The branch from `HEAD`, without starting git; the short commit when HEAD is detached. */
export async function readBranch(gitDir: string): Promise<string | undefined> {
  const head = (await readFile(join(gitDir, "HEAD"), "utf8").catch(() => "")).trim();
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  return branch ?? (/^[0-9a-f]{40,64}$/.test(head) ? head.slice(0, 8) : undefined);
}

/** What git may see of our environment: not a caller's GIT_DIR or GIT_INDEX_FILE, no editor, no pager, no askpass. */
const passedOn = ["PATH", "HOME", "XDG_CONFIG_HOME", "LANG", "LC_ALL", "TMPDIR"];

/**
 * The environment git reads in: no lock is taken, no pager or password prompt starts, and no program that a cloned
 * repository's configuration names is run.
 */
export const readOnlyGitEnv = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  GIT_CONFIG_COUNT: "3",
  GIT_CONFIG_KEY_0: "core.fsmonitor",
  GIT_CONFIG_VALUE_0: "false",
  GIT_CONFIG_KEY_1: "core.hooksPath",
  GIT_CONFIG_VALUE_1: "/dev/null",
  GIT_CONFIG_KEY_2: "safe.bareRepository",
  GIT_CONFIG_VALUE_2: "explicit",
} as const;

export function gitEnv(): Record<string, string> {
  const env: Record<string, string> = { ...readOnlyGitEnv };
  for (const name of passedOn) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

/** Number of changed and untracked files; undefined when git is missing, fails, or takes longer than `timeoutMs`. */
export function countChangedFiles(root: string, timeoutMs: number): Promise<number | undefined> {
  return new Promise((done) => {
    const args = ["status", "--porcelain", "-z", "--no-renames", "--ignore-submodules=all"];
    execFile("git", args, { cwd: root, env: gitEnv(), timeout: timeoutMs, maxBuffer: 16 << 20 }, (error, stdout) => {
      done(error ? undefined : stdout.split("\0").length - 1);
    });
  });
}
