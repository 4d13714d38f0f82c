import { closeSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { writeAtomically } from "@harness/host";
import type { Commit } from "./commit.ts";
import { type CommitSource, headCommit, readCommits } from "./read-commits.ts";

const VERSION = 1;
const MAX_COMMITS = 5_000;
const HEAD_BYTES = 128;
const HEAD = new RegExp(`^\\{"version":${VERSION},"head":"([0-9a-f]{40,64})"`);

/** The last commits of a folder, the newest first, up to a `HEAD`. */
export type CommitLog = { version: typeof VERSION; head: string; commits: Commit[] };

/** Where the commits of an index are, beside its database. */
export const commitLogPath = (database: string): string => `${database}.commits`;

/** Undefined if there is none that this version has written. Only harness writes it; a damaged one is read anew. */
export function readCommitLog(path: string): CommitLog | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isCommitLog(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isCommitLog(value: unknown): value is CommitLog {
  if (typeof value !== "object" || value === null) return false;
  return "version" in value && value.version === VERSION && "commits" in value && Array.isArray(value.commits);
}

/** Whether `HEAD` has moved since the file was written. Never rejects; false if git does not say. */
export async function isCommitLogOld(path: string, source: CommitSource): Promise<boolean> {
  const head = await headCommit(source);
  return head !== undefined && head !== (knownHead(path) ?? "none");
}

/** The start of what `updateCommitLog` writes: the whole takes a hundred times as long to read. */
function knownHead(path: string): string | undefined {
  const start = Buffer.alloc(HEAD_BYTES);
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    readSync(file, start);
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
  return HEAD.exec(start.toString("latin1"))?.[1];
}

/**
 * Brings the file up to date with the repository's `HEAD`; true if it was written. Outside a repository it is
 * removed; if git fails, it stays as it is. Throws the file system's errors.
 */
export async function updateCommitLog(path: string, source: CommitSource): Promise<boolean> {
  if (!(await isCommitLogOld(path, source))) return false;
  const known = readCommitLog(path);
  const news = await readCommits(source, { known: known?.head, limit: MAX_COMMITS });
  if (news === "none") rmSync(path, { force: true });
  if (!news || news === "none" || news.head === known?.head) return false;
  const commits = news.isAll ? news.commits : [...news.commits, ...(known?.commits ?? [])];
  const log: CommitLog = { version: VERSION, head: news.head, commits: commits.slice(0, MAX_COMMITS) };
  writeAtomically(path, JSON.stringify(log));
  return true;
}

/** Never throws. */
export function removeCommitLog(database: string): void {
  rmSync(commitLogPath(database), { force: true });
}
