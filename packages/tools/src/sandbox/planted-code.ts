import { lstat, readdir, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isWithin } from "@harness/gate";
import { newerRepositories } from "./git-code.ts";
import { isHarmlessConfig } from "./git-config-file.ts";
import type { WorkspaceFinds } from "./workspace-walk.ts";

/**
 * The state before a command: everything that the gate protects, git folders with the protected files in them, and the
 * commands that a rebase was going to run.
 */
export type WorkspaceBaseline = Pick<WorkspaceFinds, "fixed" | "secrets" | "repositories"> & {
  /** The repositories among them that commands may change. */
  open: readonly string[];
  gitFolders: readonly string[];
  /** The lines that run commands in to-do lists, by file. */
  runs: ReadonlyMap<string, readonly string[]>;
};

/** The to-do lists that git continues from (git-rebase(1), git-cherry-pick(1)). */
const TO_DO = ["rebase-merge/git-rebase-todo", "sequencer/todo"];
const runLine = /^\s*(?:exec|x)\s/;
const MAX_TO_DO_BYTES = 1_000_000;

/** The `runs` of a later baseline, for these git folders. */
export async function runsOf(gitFolders: readonly string[]): Promise<Map<string, string[]>> {
  const runs = new Map<string, string[]>();
  for (const folder of gitFolders) {
    for (const name of TO_DO) {
      const path = join(folder, name);
      const lines = await runLines(path);
      if (lines.length > 0) runs.set(path, lines);
    }
  }
  return runs;
}

async function runLines(path: string): Promise<string[]> {
  const info = await lstat(path).catch(() => undefined);
  if (!info) return [];
  // A file that cannot be read counts as a command.
  if (!info.isFile() || info.size > MAX_TO_DO_BYTES) return [`exec ${info.ino}`];
  const text = await readFile(path, "utf8").catch(() => "exec");
  return text.split("\n").filter((line) => runLine.test(line));
}

/**
 * Files that a command has put into the workspace and that other programs run by themselves: paths to move away. In a
 * new repository only hooks and settings that name programs count, because tests and generators create repositories.
 */
export async function plantedCode(
  before: WorkspaceBaseline,
  now: Pick<WorkspaceFinds, "fixed" | "secrets" | "repositories">,
  isOurs: (path: string) => boolean,
): Promise<string[]> {
  const known = new Set([...before.fixed, ...before.secrets, ...before.repositories]);
  const isNew = (path: string) => !known.has(path) && !isOurs(path) && !/\.set-aside(?:-\d+)?$/.test(path);
  const planted: string[] = [];
  const repositories = [...now.repositories.filter(isNew)];
  for (const path of now.fixed.filter(isNew)) {
    if (!(await isOwnWorktree(path, before.open))) planted.push(path);
  }
  for (const folder of before.open) {
    repositories.push(...(await newerRepositories(folder)).filter((each) => !before.gitFolders.includes(each)));
  }
  for (const folder of repositories) planted.push(...(await codeIn(folder)));
  for (const folder of before.gitFolders) planted.push(...(await newRuns(folder, before.runs)));
  return planted;
}

/** True for the `.git` file of a worktree or submodule that belongs to a repository which existed before. */
async function isOwnWorktree(path: string, repositories: readonly string[]): Promise<boolean> {
  if (!path.endsWith("/.git")) return false;
  const info = await lstat(path).catch(() => undefined);
  if (!info?.isFile()) return false;
  const [, target] = /^gitdir: (.+)\n?$/.exec(await readFile(path, "utf8").catch(() => "")) ?? [];
  const place = target === undefined ? "" : resolve(dirname(path), target);
  return repositories.some((each) => ["worktrees", "modules"].some((name) => isWithin(place, join(each, name))));
}

async function newRuns(folder: string, before: WorkspaceBaseline["runs"]): Promise<string[]> {
  const changed: string[] = [];
  for (const name of TO_DO) {
    const path = join(folder, name);
    const was = before.get(path) ?? [];
    if ((await runLines(path)).some((line) => !was.includes(line))) changed.push(path);
  }
  return changed;
}

/** The files of a new git folder that would make git run something. */
async function codeIn(folder: string): Promise<string[]> {
  const found: string[] = [];
  const hooks = await lstat(join(folder, "hooks")).catch(() => undefined);
  if (hooks && !hooks.isDirectory()) found.push(join(folder, "hooks"));
  const names = hooks?.isDirectory() ? await readdir(join(folder, "hooks")).catch(() => []) : [];
  found.push(...names.filter((name) => !name.endsWith(".sample")).map((name) => join(folder, "hooks", name)));
  for (const name of ["config.worktree", "info/attributes"]) {
    if (await lstat(join(folder, name)).then(yes, no)) found.push(join(folder, name));
  }
  const common = await textOf(join(folder, "commondir"));
  if (common !== undefined && !(dirname(folder).endsWith("/worktrees") && common.trim() === "../..")) {
    found.push(join(folder, "commondir"));
  }
  const config = await textOf(join(folder, "config"));
  if (config !== undefined && !isHarmlessConfig(config)) found.push(join(folder, "config"));
  return [...found, ...(await newRuns(folder, new Map()))];
}

/** Undefined if nothing exists there; anything but an ordinary file counts as harmful. */
async function textOf(path: string): Promise<string | undefined> {
  const info = await lstat(path).catch(() => undefined);
  if (!info) return undefined;
  return info.isFile() && info.size <= MAX_TO_DO_BYTES ? readFile(path, "utf8").catch(() => "?") : "?";
}

const yes = () => true;
const no = () => false;
