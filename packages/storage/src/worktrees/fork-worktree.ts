import { existsSync, mkdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { makePrivateFolder, realPathOrSame } from "@harness/host";
import { CheckpointFolder, type CheckpointFolderOptions } from "../checkpoints/checkpoint-folder.ts";
import { GitError } from "../checkpoints/store-git.ts";
import { addWorktree, orWorktreeProblem } from "./add-worktree.ts";
import { repositoryGit, repositoryRoot } from "./repository-git.ts";

export type ForkWorktreeOptions = Omit<CheckpointFolderOptions, "git"> & {
  /** The real folder of the session that is forked. */
  cwd: string;
  /** Names the folder and the branch. */
  title: string;
  /** By exactly this name. */
  isExact?: boolean;
  /** The state of the files in `cwd`; absent: their current state. */
  checkpointId?: string | undefined;
};

/**
 * `path`: the folder in the worktree that corresponds to `cwd`. `leftOut`: the files missing from it, as text for
 * people.
 */
export type ForkWorktree = { path: string; branch: string; leftOut?: string };

const SUFFIX = ".worktrees";
const MAX_NAME = 40;
const MAX_TRIES = 1_000;

/**
 * Creates a worktree for a fork beside the repository, with the files of one moment of the session. From then on it is
 * the user's. No hook or filter of the repository runs. Never rejects: a problem is a sentence for people.
 */
export function makeForkWorktree(options: ForkWorktreeOptions): Promise<ForkWorktree | { problem: string }> {
  const { cwd, title, isExact = false, checkpointId, ...rest } = options;
  const root = repositoryRoot(cwd);
  const place = placeBeside(root ?? cwd);
  return orWorktreeProblem("No worktree was made.", place, async () => {
    if (root === undefined) throw new GitError(`${cwd} is not in a git repository.`);
    makePrivateFolder(rest.folder);
    const program = { command: "git", outside: [root, place] };
    const whole = new CheckpointFolder(root, { ...rest, git: program });
    const part = new CheckpointFolder(cwd, { ...rest, git: program });
    const then = checkpointId === undefined ? undefined : await part.treeIn(checkpointId);
    const now = await whole.take(undefined);
    const { folder, branch } = isExact ? namedPlace(place, title) : await freePlace(root, place, title);
    const path = join(folder, relative(root, cwd));
    const indexOf = (name: string) => join(rest.folder, `fork-${process.pid}-${name}.index`);
    const indexes = [indexOf("whole"), indexOf("part")];
    mkdirSync(place, { recursive: true });
    try {
      await addWorktree({ root, folder, branch }, async () => {
        const isAll = then !== undefined && cwd === root;
        await whole.copyTo(isAll ? then : now.tree, { workTree: folder, index: indexOf("whole") });
        if (then === undefined || isAll) return;
        rmSync(path, { recursive: true, force: true });
        mkdirSync(path, { recursive: true });
        await part.copyTo(then, { workTree: path, index: indexOf("part") });
      });
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      removeIfEmpty(place);
      throw error;
    } finally {
      for (const index of indexes) rmSync(index, { force: true });
    }
    mkdirSync(path, { recursive: true });
    const leftOut = now.leftOut.words((each) => each);
    return { path, branch, ...(leftOut !== undefined && { leftOut }) };
  });
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It has other worktrees.
  }
}

/** A fork of a fork goes beside the first one. */
function placeBeside(root: string): string {
  const parent = dirname(root);
  return parent.endsWith(SUFFIX) ? parent : `${root}${SUFFIX}`;
}

/** A folder and a branch of that name that do not exist yet, with a number if necessary. */
async function freePlace(root: string, place: string, title: string): Promise<{ folder: string; branch: string }> {
  const name = nameOf(title);
  const branches = new Set((await repositoryGit(root, ["branch", "--format=%(refname:short)"])).split("\n"));
  for (let number = 1; number <= MAX_TRIES; number += 1) {
    const numbered = number === 1 ? name : `${name}-${number}`;
    const found = { folder: join(place, numbered), branch: `harness/${numbered}` };
    if (!existsSync(found.folder) && !branches.has(found.branch)) return found;
  }
  throw new GitError(`${place} has too many worktrees named ${name}.`);
}

/** The folder and the branch of exactly this name. */
function namedPlace(place: string, name: string): { folder: string; branch: string } {
  const isFit = name.length <= MAX_NAME && /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.|lock$|$))*$/.test(name);
  if (!isFit)
    throw new GitError(
      `"${name}" cannot be its name: letters, digits, dots and dashes, at most ${MAX_NAME} characters.`,
    );
  return { folder: join(place, name), branch: `harness/${name}` };
}

/** True if the folder is a worktree of this repository. */
async function isWorktreeOf(root: string, folder: string): Promise<boolean> {
  const listed = await repositoryGit(root, ["worktree", "list", "--porcelain", "-z"]);
  const paths = listed.split("\0").flatMap((line) => (line.startsWith("worktree ") ? [line.slice(9)] : []));
  return paths.some((path) => realPathOrSame(path) === realPathOrSame(folder));
}

/**
 * The worktree of this name beside the repository, made if there is none, with the files as they are now. Never rejects:
 * a problem is a sentence for people.
 */
export async function namedWorktree({
  name,
  ...rest
}: Omit<ForkWorktreeOptions, "title" | "checkpointId"> & { name: string }): Promise<
  (ForkWorktree & { isNew: boolean }) | { problem: string }
> {
  const { cwd } = rest;
  const root = repositoryRoot(cwd);
  if (root === undefined) return { problem: `There is no worktree here: ${cwd} is not in a git repository.` };
  const place = placeBeside(root);
  const found = await orWorktreeProblem("The worktree cannot be used.", place, async () => {
    const { folder, branch } = namedPlace(place, name);
    if (!existsSync(folder)) return undefined;
    if (!(await isWorktreeOf(root, folder))) throw new GitError(`${folder} exists, and is no worktree of ${root}.`);
    const current = (await repositoryGit(folder, ["branch", "--show-current"])).trim();
    return { path: join(folder, relative(root, cwd)), branch: current === "" ? branch : current, isNew: false };
  });
  if (found) return found;
  const made = await makeForkWorktree({ ...rest, title: name, isExact: true });
  return "problem" in made ? made : { ...made, isNew: true };
}

/** Turns a title into a name for a folder and a branch. */
function nameOf(title: string): string {
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_NAME)
    .replace(/^-+|-+$/g, "");
  return words === "" ? "fork" : words;
}
