import { gitOutput } from "@harness/host";
import type { GitEnvironments } from "./git-env.ts";
import { findRepository } from "./git-state.ts";

const MAX_COMMITS = 100;
const NAMED = 3;
const PATIENCE_MS = 2_000;
const FIELD = "\u001f";

export type NewCommits = { count: number; more: boolean; authors: string[]; subjects: string[] };

/**
 * The commits that `HEAD` has gained since a given time, newest first, including older commits pulled since. Runs
 * nothing that the repository names. Undefined outside a repository, and if git does not know.
 */
export async function readNewCommits(
  cwd: string,
  since: string,
  environments: GitEnvironments,
): Promise<NewCommits | undefined> {
  const repository = await findRepository(cwd);
  const env = repository && (await environments.withoutFilters(cwd, PATIENCE_MS));
  const at = new Date(since);
  if (!env || Number.isNaN(at.getTime())) return undefined;
  const plain = ["--no-show-signature", "--no-notes", "--no-decorate", "--no-color", "--no-patch"];
  const args = ["log", ...plain, `--max-count=${MAX_COMMITS + 1}`, `--format=%an${FIELD}%s`];
  const range = `HEAD@{${at.toISOString()}}..HEAD`;
  const run = { command: "git", args: [...args, range, "--"], cwd: repository.root, env };
  const output = await gitOutput({ ...run, timeoutMs: PATIENCE_MS, maxOutputBytes: 1 << 20 });
  if (output === undefined) return undefined;
  const commits = output.split("\n").flatMap((line) => (line === "" ? [] : [line.split(FIELD)]));
  return {
    count: Math.min(commits.length, MAX_COMMITS),
    more: commits.length > MAX_COMMITS,
    authors: [...new Set(commits.map(([author = ""]) => author))].slice(0, NAMED),
    subjects: commits.slice(0, NAMED).map(([, subject = ""]) => subject),
  };
}
