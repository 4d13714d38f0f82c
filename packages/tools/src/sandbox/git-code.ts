import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** The files of a repository that git runs, or that name programs: absolute paths, existing or not. */
export type GitCode = {
  /** Files and folders that must not change. */
  fixed: string[];
  /** Folders with hooks; missing ones must not be created. */
  hooks: string[];
  /** Files that must not be created. */
  files: string[];
  /** The git folders: of the repository, its submodules and its worktrees. */
  folders: string[];
};

/** `commondir` makes git read another configuration; so does `config.worktree` if a repository enables it. */
const FILES = ["config", "config.worktree", "info/attributes", "commondir", "objects/info/alternates"];
const FILES_OF_WORKTREE = ["commondir", "config.worktree"];
/** Names of submodules are often paths: `modules/libs/name`. */
const MAX_DEPTH = 8;
/** Each repository needs mounts. Beyond this number none of them is writable. */
const MAX_REPOSITORIES = 60;

/**
 * The paths of a repository, its submodules and its worktrees. Objects and references stay writable, for commits. Never
 * throws.
 */
export async function gitCode(gitFolder: string): Promise<GitCode> {
  const code: GitCode = { fixed: [], hooks: [], files: [], folders: [] };
  const below: string[] = [];
  await findRepositories(join(gitFolder, "modules"), below, 0);
  const isTooMany = below.length > MAX_REPOSITORIES;
  if (isTooMany) code.fixed.push(join(gitFolder, "modules"));
  for (const folder of isTooMany ? [gitFolder] : [gitFolder, ...below]) {
    code.fixed.push(...FILES.map((name) => join(folder, name)), join(folder, "hooks"));
    code.folders.push(folder);
    code.hooks.push(join(folder, "hooks"));
    code.files.push(...FILES.map((name) => join(folder, name)));
    await addWorktrees(join(folder, "worktrees"), code);
  }
  return code;
}

/** The current git folders of submodules and worktrees in a repository. */
export async function newerRepositories(gitFolder: string): Promise<string[]> {
  const below: string[] = [];
  await findRepositories(join(gitFolder, "modules"), below, 0);
  // They are then one read-only mount.
  if (below.length > MAX_REPOSITORIES) below.length = 0;
  const all = await Promise.all(
    [gitFolder, ...below].map(async (folder) => {
      const worktrees = join(folder, "worktrees");
      const names = await foldersIn(worktrees);
      return names.length > MAX_REPOSITORIES ? [] : names.map((name) => join(worktrees, name));
    }),
  );
  return [...below, ...all.flat()];
}

async function foldersIn(folder: string): Promise<string[]> {
  return (await entriesOf(folder)).filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function addWorktrees(folder: string, code: GitCode): Promise<void> {
  const names = await foldersIn(folder);
  if (names.length > MAX_REPOSITORIES) {
    code.fixed.push(folder);
    return;
  }
  const files = names.flatMap((name) => FILES_OF_WORKTREE.map((file) => join(folder, name, file)));
  code.folders.push(...names.map((name) => join(folder, name)));
  code.fixed.push(...files);
  code.files.push(...files);
}

/** Submodules can contain submodules. */
async function findRepositories(folder: string, found: string[], depth: number): Promise<void> {
  if (depth > MAX_DEPTH || found.length > MAX_REPOSITORIES) return;
  for (const { name } of (await entriesOf(folder)).filter((entry) => entry.isDirectory())) {
    const path = join(folder, name);
    const isRepository = (await entriesOf(path)).some((entry) => entry.name === "HEAD");
    if (isRepository) found.push(path);
    await findRepositories(isRepository ? join(path, "modules") : path, found, depth + 1);
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
