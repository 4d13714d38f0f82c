import { existsSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import type { DiffPage, NewWorktree, WorktreeState, Worktrees } from "@harness/core";
import { makePrivateFolder, readRegularFile, realPathOrSame, replaceOwnFile, writeOwnFile } from "@harness/host";
import { CheckpointFolder, type CheckpointFolderOptions } from "../checkpoints/checkpoint-folder.ts";
import { FileDiffList } from "../checkpoints/file-diffs.ts";
import type { FolderCopy } from "../checkpoints/folder-copy.ts";
import { needOwnFolder } from "../checkpoints/store-folder.ts";
import { GitError } from "../checkpoints/store-git.ts";
import { changesOf, lacksStoredSide, type TreeDifference } from "../checkpoints/tree-diff.ts";
import { addWorktree, orWorktreeProblem } from "./add-worktree.ts";
import { repositoryGit, repositoryRoot } from "./repository-git.ts";

export type WorktreeOptions = Omit<CheckpointFolderOptions, "git"> & {
  /** The session's real folder. */
  cwd: string;
  /** The folder of the session's worktrees, each in a subfolder named after its agent. */
  place: string;
};

/** The parts of a worktree on disk: its folder, git's index of its files, and the record of its repository. */
type WorktreePaths = { folder: string; index: string; record: string };

/** The worktrees of one session, with states of their files in the checkpoint store. */
export function openWorktrees({ cwd, place, ...options }: WorktreeOptions): Worktrees {
  const shownIn = (root: string) => (path: string) => {
    const full = join(root, path);
    const inside = relative(cwd, full);
    return inside === "" || inside.startsWith("..") || isAbsolute(inside) ? full : inside;
  };
  const open = (worktreeId: string) => {
    needOwnFolder(place);
    const at = placeOf(place, worktreeId);
    const root = rootOf(at);
    if (root !== repositoryRoot(cwd)) throw new GitError("It does not belong to the repository of this session.");
    const copy: FolderCopy = { workTree: at.folder, index: at.index };
    const files = new CheckpointFolder(root, { ...options, git: { command: "git", outside: [root, at.folder] } });
    return { at, root, copy, files, shown: shownIn(root) };
  };

  /** A state of the files, by default the current one, and its differences from the beginning. */
  const lookAt = async ({ worktreeId, base, tree: known }: WorktreeState) => {
    const opened = open(worktreeId);
    const taken = known === undefined ? await opened.files.takeCopy(opened.copy) : { tree: known, leftOut: undefined };
    const differences = await opened.files.compare(base, taken.tree);
    const isSame = (each: TreeDifference) =>
      lacksStoredSide(each) && isSameFile(opened.root, opened.at.folder, each.path);
    return { ...opened, ...taken, differences: differences.filter((each) => !isSame(each)) };
  };

  const guarded = <T>(what: string, work: () => Promise<T>) => orWorktreeProblem(what, place, work);
  return {
    make: (worktreeId, signal) =>
      guarded("The worktree could not be created.", () => make({ cwd, place, options, worktreeId, signal })),
    changes: (worktree) =>
      guarded("Its changes could not be determined.", async () => {
        const { root, tree, differences, leftOut, shown } = await lookAt(worktree);
        const words = leftOut?.words(shown);
        const changes = changesOf(differences.map((each) => ({ ...each, path: shown(each.path) })));
        const paths = differences.map((each) => join(root, each.path));
        return { ...changes, tree, paths, ...(words === undefined ? {} : { leftOut: words }) };
      }),
    diff: (worktree, page: DiffPage, paths) =>
      guarded("Its changes could not be determined.", async () => {
        const { root, files, tree, differences, shown } = await lookAt(worktree);
        const only = paths && new Set(paths);
        const wanted = differences.filter(({ path }) => only?.has(join(root, path)) !== false);
        const list = new FileDiffList();
        await list.collect(wanted.map(({ path }) => shown(path)))(files, worktree.base, tree, shown);
        return await list.page(page);
      }),
    saveDiff: (worktree, path) =>
      guarded("The diff could not be written.", async () => {
        const { files, tree, differences } = await lookAt(worktree);
        const text = await files.patch(
          worktree.base,
          tree,
          differences.map((each) => each.path),
        );
        writeOwnFile(path, text, { mode: 0o600 });
        return undefined;
      }),
    apply: (worktree) =>
      guarded("Nothing was applied.", async () => {
        const { files, tree, differences, shown } = await lookAt(worktree);
        const paths = new Set(differences.map(({ path }) => path));
        const applied = await files.apply(worktree.base, tree, (path) => paths.has(path));
        return { ...applied, files: applied.files.map((file) => ({ ...file, path: shown(file.path) })) };
      }),
    keepOnly: (worktreeIds) =>
      guarded("Old worktrees were left alone.", () => removeOthers({ cwd, place, worktreeIds })),
    remove: (worktreeId) =>
      guarded("The worktree could not be removed.", async () => {
        await removeWorktree(placeOf(place, worktreeId), worktreeId);
        return undefined;
      }),
  };
}

/**
 * Lists the worktrees of a session, and returns a function that removes them and their entries in the repository, even
 * if their folders no longer exist by then. Neither throws: `report` gets every failure. `records`: the current folder
 * of the worktrees, if they were moved.
 */
export function worktreeRemoval(
  place: string,
  report: (error: unknown, where: string) => void,
  { records = place }: { records?: string } = {},
): () => Promise<void> {
  const now = existsSync(records) ? records : place;
  const found = recordedOr([], now, report).map((worktreeId) => ({
    at: placeOf(place, worktreeId),
    worktreeId,
    root: recordedRoot(placeOf(now, worktreeId)),
  }));
  return async () => {
    for (const { at, worktreeId, root } of found)
      await removeWorktree(at, worktreeId, root).catch((error) => report(error, "worktrees.remove"));
  };
}

function recordedOr(other: string[], place: string, report: (error: unknown, where: string) => void): string[] {
  try {
    return recordedIn(place);
  } catch (error) {
    report(error, "worktrees.recorded");
    return other;
  }
}

const RECORD = ".root";
const MAX_PATH_BYTES = 10_000;

/** The worktrees of a session, by their records. Throws `GitError` for a place that does not belong to the session. */
function recordedIn(place: string): string[] {
  const isThere = lstatSync(place, { throwIfNoEntry: false }) !== undefined;
  if (isThere) needOwnFolder(place);
  const names = isThere ? readdirSync(place) : [];
  return names.filter((each) => each.endsWith(RECORD)).map((each) => each.slice(0, -RECORD.length));
}

function placeOf(place: string, worktreeId: string): WorktreePaths {
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(worktreeId)) throw new GitError(`\`${worktreeId}\` is not a valid worktree name.`);
  const folder = join(place, worktreeId);
  return { folder, index: `${folder}.index`, record: `${folder}${RECORD}` };
}

function branchOf(worktreeId: string): string {
  return `harness/${worktreeId}`;
}

/**
 * The repository that it was created from, as recorded where its agent cannot write; undefined: there is no such
 * worktree.
 */
function recordedRoot({ record }: WorktreePaths): string | undefined {
  if (!existsSync(record)) return undefined;
  return readRegularFile(record, { maxBytes: MAX_PATH_BYTES, followLinks: false }).toString("utf8").trimEnd();
}

function rootOf(at: WorktreePaths): string {
  const root = recordedRoot(at);
  if (root === undefined || !existsSync(at.folder)) throw new GitError("Its worktree is gone.");
  return root;
}

type NewWorktreeOptions = {
  cwd: string;
  place: string;
  options: Omit<CheckpointFolderOptions, "git">;
  worktreeId: string;
  signal: AbortSignal;
};

async function make({ cwd, place, options, worktreeId, signal }: NewWorktreeOptions): Promise<NewWorktree> {
  const root = repositoryRoot(cwd);
  if (root === undefined) throw new GitError("The workspace is not a git repository.");
  const at = placeOf(place, worktreeId);
  const branch = branchOf(worktreeId);
  const files = new CheckpointFolder(root, { ...options, git: { command: "git", outside: [root] } });
  const { tree: base, leftOut } = await files.take(signal);
  makePrivateFolder(place);
  replaceOwnFile(at.record, `${root}\n`, { durable: "name" });
  try {
    await addWorktree({ root, folder: at.folder, branch }, async () => {
      await files.copyTo(base, { workTree: at.folder, index: at.index });
      if (signal.aborted) throw new GitError("It was stopped.");
    });
  } catch (error) {
    await removeWorktree(at, worktreeId).catch(() => undefined);
    throw error;
  }
  const words = leftOut.words((path) => path);
  const path = join(at.folder, relative(root, cwd));
  return { path, branch, base, ...(words === undefined ? {} : { leftOut: words }) };
}

type KeptWorktrees = { cwd: string; place: string; worktreeIds: readonly string[] };

/** Removes all but these; worktrees of a different repository are left alone, and listed. */
async function removeOthers({ cwd, place, worktreeIds }: KeptWorktrees): Promise<undefined> {
  const repository = repositoryRoot(cwd);
  const old = recordedIn(place).filter((each) => !worktreeIds.includes(each));
  const foreign = old.filter((each) => recordedRoot(placeOf(place, each)) !== repository);
  for (const worktreeId of old.filter((each) => !foreign.includes(each)))
    await removeWorktree(placeOf(place, worktreeId), worktreeId);
  if (foreign.length === 0) return undefined;
  const names = foreign.map((each) => join(place, each)).join(", ");
  throw new GitError(`They do not belong to the repository of this session: ${names}.`);
}

/**
 * Also removes its entry in the repository, but no other: the user's own may be on a disk that is not mounted. A record
 * only counts if the repository confirms it: a worktree at exactly this place, on the branch that harness gives it.
 */
async function removeWorktree(at: WorktreePaths, worktreeId: string, root = recordedRoot(at)): Promise<void> {
  const known = root === undefined || !existsSync(root) ? undefined : await entryOf(root, at.folder);
  if (root !== undefined && known)
    await repositoryGit(root, ["worktree", "remove", "--force", "--force", at.folder]).catch(() => undefined);
  rmSync(at.folder, { recursive: true, force: true });
  rmSync(at.index, { force: true });
  if (root !== undefined && known?.branch === branchOf(worktreeId))
    await repositoryGit(root, ["branch", "-q", "-D", branchOf(worktreeId)]).catch(() => undefined);
  rmSync(at.record, { force: true });
}

/** The repository's entry for the worktree at a place. A link in its place does not count. */
async function entryOf(root: string, folder: string): Promise<{ branch: string | undefined } | undefined> {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) return undefined;
  const list = await repositoryGit(root, ["worktree", "list", "--porcelain"]).catch(() => "");
  const lines = list.split("\n");
  const real = realPathOrSame(folder);
  const at = lines.findIndex((line) => line === `worktree ${folder}` || line === `worktree ${real}`);
  if (at < 0) return undefined;
  const rest = lines.slice(at, lines.indexOf("", at));
  const branch = rest.find((line) => line.startsWith("branch refs/heads/"))?.slice("branch refs/heads/".length);
  return { branch };
}

/** True if a file that is not stored is the same in both folders as it was copied. */
function isSameFile(one: string, other: string, path: string): boolean {
  const [a, b] = [one, other].map((folder) => lstatSync(join(folder, path), { throwIfNoEntry: false }));
  // File systems round the times that are set.
  return a !== undefined && b !== undefined && a.size === b.size && Math.abs(a.mtimeMs - b.mtimeMs) < 1;
}
