import { type GitRun, gitOutput, runGit } from "@harness/host";
import { COMMIT_FORMAT, type Commit, parseCommits } from "./commit.ts";

const MAX_OUTPUT_BYTES = 128 << 20;
const TIMEOUT_MS = 60_000;
const QUICK_MS = 5_000;

export type CommitSource = {
  /** The paths of commits are relative to it; commits that change nothing below it are left out. */
  cwd: string;
  /** The complete environment of git. */
  env: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
};

/** Commits of `HEAD`, the newest first. `isAll`: from the start, so that what was known before is to be forgotten. */
type NewCommitLog = { head: string; isAll: boolean; commits: Commit[] };

/** `none`: the folder is in no repository, or that has no commits. */
export type CommitReading = NewCommitLog | "none" | undefined;

/**
 * Reads the commits since a known `HEAD`, at most `limit`; all of them if `HEAD` does not contain the known one.
 * Undefined if git fails.
 */
export async function readCommits(
  source: CommitSource,
  { known, limit }: { known?: string | undefined; limit: number },
): Promise<CommitReading> {
  const head = await headCommit(source);
  if (head === undefined || head === "none") return head;
  if (head === known) return { head, isAll: false, commits: [] };
  const isAll = known === undefined || !(await isAncestor(source, known, head));
  const range = isAll ? head : `${known}..${head}`;
  // Without the contents of old files, as in a partial clone, only renames of unchanged files are known.
  const output = (await log(source, range, limit, "-M")) ?? (await log(source, range, limit, "-M100%"));
  return output === undefined ? undefined : { head, isAll, commits: parseCommits(output) };
}

/** `none`: there are no commits. Undefined if git fails. */
export async function headCommit(source: CommitSource): Promise<string | undefined> {
  try {
    const { code, output } = await runGit(
      gitRun(source, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], QUICK_MS),
    );
    if (code === null) return undefined;
    return code === 0 ? output.toString("utf8").trim() : "none";
  } catch {
    return undefined;
  }
}

function log(source: CommitSource, range: string, limit: number, renames: string): Promise<string | undefined> {
  const shown = ["-z", `--format=${COMMIT_FORMAT}`, "--encoding=UTF-8", "--name-status", renames, "-l400"];
  const plain = ["--no-merges", "--no-show-signature", "--no-notes", "--no-ext-diff", "--no-textconv", "--no-color"];
  const place = ["--relative", `--max-count=${limit}`, range, "--", "."];
  return ask(source, ["log", ...shown, ...plain, ...place], TIMEOUT_MS);
}

async function isAncestor(source: CommitSource, known: string, head: string): Promise<boolean> {
  return (await ask(source, ["merge-base", "--is-ancestor", known, head])) !== undefined;
}

function ask(source: CommitSource, args: readonly string[], timeoutMs = QUICK_MS): Promise<string | undefined> {
  return gitOutput(gitRun(source, args, timeoutMs));
}

function gitRun({ cwd, env, signal }: CommitSource, args: readonly string[], timeoutMs: number): GitRun {
  const settings = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false"];
  return {
    command: "git",
    args: [...settings, ...args],
    cwd,
    env,
    signal,
    timeoutMs,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  };
}
