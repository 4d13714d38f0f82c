import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { readCommits } from "../../packages/search/src/history/read-commits.ts";
import { caseOf, chooseSnapshot, type SearchCase } from "./cases.ts";

export type Project = {
  name: string;
  /** A checkout of the snapshot with its history. */
  folder: string;
  /** The tracked files of the snapshot. */
  files: string[];
  cases: SearchCase[];
  remove(): void;
};

const MAX_COMMITS = 20_000;

const git = (cwd: string, args: readonly string[]): string =>
  execFileSync("git", args, { cwd, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });

/** Checks out a snapshot of a repository into a temporary folder, and makes at most `most` cases of what came later. */
export async function openProject(source: string, most: number): Promise<Project> {
  const repository = resolve(source);
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" } as Record<string, string>;
  const log = await readCommits({ cwd: repository, env }, { limit: MAX_COMMITS });
  if (!log || log === "none") throw new Error(`${source} has no history that git can read.`);
  const { snapshot, later } = chooseSnapshot(log.commits, most);
  const { folder, remove } = checkOut(repository, snapshot);
  const files = git(folder, ["ls-files", "-z"]).split("\0").filter(Boolean);
  const there = new Set(files);
  const made = later.toReversed().flatMap((commit) => caseOf(commit, (path) => there.has(path)) ?? []);
  return {
    name: projectName(repository),
    folder,
    files,
    cases: evenly(made, most),
    remove,
  };
}

/** Checks out a commit of a repository while `use` needs it. */
export async function withCheckout<T>(
  { source, commit }: { source: string; commit: string },
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const { folder, remove } = checkOut(resolve(source), commit);
  try {
    return await use(folder);
  } finally {
    remove();
  }
}

function checkOut(repository: string, commit: string): { folder: string; remove(): void } {
  const temporary = mkdtempSync(join(tmpdir(), "bench-search-"));
  const folder = join(temporary, "snapshot");
  git(tmpdir(), ["clone", "-q", "--shared", "--no-checkout", repository, folder]);
  git(folder, ["-c", "advice.detachedHead=false", "checkout", "-q", commit]);
  return { folder, remove: () => rmSync(temporary, { recursive: true, force: true }) };
}

export function projectName(repository: string): string {
  const name = basename(repository).replace(/\.git$/, "");
  return name === "repo" || name === "" ? basename(dirname(repository)).replace(/^.*\+/, "") : name;
}

function evenly<T>(items: readonly T[], most: number): T[] {
  if (items.length <= most) return [...items];
  return Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)] as T);
}
