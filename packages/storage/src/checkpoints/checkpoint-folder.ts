import { existsSync, lstatSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { FileList } from "@harness/core";
import type { Clock } from "@harness/gate";
import { errorCode, lockedProblem, realPathOrSame, waitForLock } from "@harness/host";
import type { RestoredFile } from "@harness/protocol";
import { BlobReader } from "./blob-reader.ts";
import { treesIn } from "./checkpoint-id.ts";
import { type FolderCopy, writeCopy } from "./folder-copy.ts";
import type { OmittedFiles } from "./omitted-files.ts";
import { refreshIndex } from "./refresh-index.ts";
import { Revert } from "./revert.ts";
import { configureStore, makeStore, needOwnFolder, type StoredRoot, storeName } from "./store-folder.ts";
import { GitError, type GitProgram, StoreGit } from "./store-git.ts";
import { EMPTY_TREE, hasStoredTree, storeTree, treeSeenMs } from "./stored-tree.ts";
import { diffTrees, NOT_STORED, type TreeDifference, type TreeFile } from "./tree-diff.ts";
import { hasUnfinishedRevert, removeUnfinishedRevert } from "./unfinished-revert.ts";
import { type UnsavedContents, unsavedTree } from "./unsaved/unsaved-tree.ts";

/** Says which files are saved. */
export type UndoneFiles = Pick<FileList, "undoRules" | "isSecret">;

export type CheckpointFolderOptions = {
  /** The folder that contains all stores. */
  folder: string;
  /** Folders whose files are never stored or restored, because they belong to harness. */
  leaveOut: string[];
  files: UndoneFiles;
  maxFileBytes: number;
  git: GitProgram;
  clock: Clock;
};

export type RevertLimits = { includes(path: string): boolean; isRedo: boolean };

const PATCH = ["diff-tree", "-p", "-r", "--binary", "--no-renames", "--no-ext-diff", "--no-textconv"];
/** The most file names to pass to one command. */
const MAX_PATCHED = 2_000;

const NO_LONGER_STORED = "The files from that time are no longer stored.";
/** Another harness holds the lock no longer than a first checkpoint takes. */
const LOCK_WAIT_MS = 15_000;

/** The saved states of one folder's files. Methods throw `GitError` and file system errors. */
export class CheckpointFolder {
  readonly wanted: string;
  readonly #options: CheckpointFolderOptions;

  constructor(wanted: string, options: CheckpointFolderOptions) {
    this.wanted = wanted;
    this.#options = options;
  }

  /** Stores the current files, `unsaved` ones with this content; `tree` is the id of that state. */
  take(
    signal: AbortSignal | undefined,
    unsaved?: UnsavedContents,
  ): Promise<{ store: string; tree: string; leftOut: OmittedFiles }> {
    return this.#alone(async (git, root) => {
      const limits = { ...this.#limits, signal };
      const leftOut = await refreshIndex(git, root, limits).catch(async (error: unknown) => {
        if (!isBroken(error)) throw error;
        // An unreadable index is rebuilt from the files; stored objects stay.
        rmSync(join(root.place.gitDir, "index"), { force: true });
        return refreshIndex(git, root, limits);
      });
      const saved = await writeTree(git, root, signal);
      const tree = unsaved ? await unsavedTree(git, { ...root, tree: saved }, { unsaved, signal }) : saved;
      storeTree(root.place.gitDir, tree);
      return { store: storeOf(root.root), tree, leftOut };
    });
  }

  /** The name of this folder's store in checkpoint ids. */
  store(): string {
    return storeOf(this.#root());
  }

  /** True if at least one state of the files was stored completely. */
  hasAny(): boolean {
    return hasStoredTree(join(this.#options.folder, storeName(realPathOrSame(this.wanted))));
  }

  /** Removes leftovers of a killed undo from among the files. */
  async clean(): Promise<void> {
    const { folder } = this.#options;
    if (existsSync(this.wanted) && hasUnfinishedRevert(join(folder, storeName(realpathSync(this.wanted)))))
      await this.#alone(async () => undefined);
  }

  compare(before: string, after: string): Promise<TreeDifference[]> {
    return this.#alone((git) => differences(git, before, after));
  }

  /** The contents of stored files; undefined if there was no file, or its content is not stored. */
  contents(files: readonly (TreeFile | undefined)[]): Promise<(Buffer | undefined)[]> {
    return this.#alone(async (git) => {
      const blobs = new BlobReader(git);
      try {
        const read = (file: TreeFile | undefined) =>
          file && file.mode !== NOT_STORED ? blobs.read(file.oid) : undefined;
        return await Promise.all(files.map(read));
      } finally {
        blobs.close();
      }
    });
  }

  /** The change of these files from one state to another, in the format of `git diff`. */
  patch(before: string, after: string, paths: readonly string[]): Promise<Buffer> {
    return this.#alone(async (git) => {
      const parts: Buffer[] = [];
      for (let at = 0; at < paths.length; at += MAX_PATCHED) {
        const named = paths.slice(at, at + MAX_PATCHED).map((path) => `:(top,literal)${path}`);
        parts.push(await git.run([...PATCH, before, after, "--", ...named]));
      }
      return Buffer.concat(parts);
    });
  }

  /** Reverts the differences in the included paths. */
  revert(before: string, after: string, { includes, isRedo }: RevertLimits): Promise<RestoredFile[]> {
    return this.#alone(async (git, { root }) => {
      const all = await differences(git, before, after);
      const kind = isRedo ? "redo" : "undo";
      return Revert.run(git, { root, before, differences: all.filter(({ path }) => includes(path)), kind });
    });
  }

  /**
   * Applies the change from one state to another to the current files, by a three-way merge: completely, or not at all
   * if any file cannot take its part. The files then say why.
   */
  apply(
    from: string,
    to: string,
    includes: (path: string) => boolean,
  ): Promise<{ isApplied: boolean; files: RestoredFile[] }> {
    return this.#alone(async (git, { root }) => {
      const all = (await differences(git, to, from)).filter(({ path }) => includes(path));
      const work = { root, before: to, differences: all, kind: "apply" } as const;
      const trial = await Revert.run(git, { ...work, isTrial: true });
      if (!trial.every(isDone)) return { isApplied: false, files: trial.filter((each) => !isDone(each)) };
      const files = await Revert.run(git, work);
      if (files.every(isDone)) return { isApplied: true, files };
      const done = new Set(files.filter(isDone).map(({ path }) => path));
      const back = (await differences(git, from, to)).filter(({ path }) => done.has(path));
      await Revert.run(git, { root, before: from, differences: back, kind: "apply" });
      return { isApplied: false, files: files.filter((each) => !isDone(each)) };
    });
  }

  /**
   * Writes the files of a state into a folder. If the bytes of a file are not stored, its current version is copied if
   * it is readable.
   */
  copyTo(tree: string, copy: FolderCopy): Promise<void> {
    return this.#alone((git, { root, place }) =>
      writeCopy(new StoreGit({ ...place, ...copy }, this.#options.git), tree, { root, store: git }),
    );
  }

  /** The state of this folder's files in a checkpoint. Throws `GitError` if it is no longer stored. */
  treeIn(checkpointId: string): Promise<string> {
    return this.#alone(async (git, { root }) => {
      const tree = treesIn(checkpointId).get(storeOf(root));
      if (tree === undefined || treeSeenMs(git.place.gitDir, tree) === undefined) throw new GitError(NO_LONGER_STORED);
      return tree;
    });
  }

  /** Stores the current files of such a folder. */
  takeCopy(copy: FolderCopy): Promise<{ tree: string; leftOut: OmittedFiles }> {
    return this.#alone(async (_git, { place }) => {
      const git = new StoreGit({ ...place, ...copy }, this.#options.git);
      const root = { place: git.place, root: copy.workTree, prefix: "" };
      const leftOut = await refreshIndex(git, root, this.#limits);
      const tree = await writeTree(git, root, undefined);
      storeTree(place.gitDir, tree);
      return { tree, leftOut };
    });
  }

  /** Does other work in the store, alone as always. */
  inStore<T>(work: (git: StoreGit, program: GitProgram) => Promise<T>): Promise<T> {
    return this.#alone((git) => work(git, this.#options.git));
  }

  get #limits() {
    const { maxFileBytes, files } = this.#options;
    return { maxFileBytes, isSecret: files.isSecret };
  }

  #root(): string {
    try {
      return realpathSync(this.wanted);
    } catch (error) {
      const code = errorCode(error);
      throw new GitError(
        `The folder ${this.wanted} ${code === "ENOENT" ? "is gone. If it was moved, move it back" : `cannot be opened (${code})`}.`,
      );
    }
  }

  /** Runs one task at a time per folder, across all processes. */
  async #alone<T>(work: (git: StoreGit, root: StoredRoot) => Promise<T>): Promise<T> {
    const { folder, clock, leaveOut, files, git } = this.#options;
    const root = this.#root();
    // Throws if there is a file by now.
    lstatSync(`${root}/.`);
    // The user may have moved the folder elsewhere, behind a link of their own.
    needOwnFolder(realPathOrSame(folder));
    const path = join(folder, `${storeName(root)}.lock`);
    const lock = await waitForLock(path, LOCK_WAIT_MS, clock);
    if (!("release" in lock)) throw new GitError(lockedProblem("The stored files of this folder are", path, lock));
    try {
      await makeStore(folder, root, git);
      const kept = configureStore(folder, root, await files.undoRules(root, leaveOut));
      // Left by a killed git: no other process works here while we hold the lock.
      rmSync(join(kept.place.gitDir, "index.lock"), { force: true });
      removeUnfinishedRevert(kept.place.gitDir);
      return await work(new StoreGit(kept.place, git), kept);
    } finally {
      lock.release();
    }
  }
}

function isDone({ outcome }: RestoredFile): boolean {
  return outcome !== "kept" && outcome !== "failed";
}

async function differences(git: StoreGit, before: string, after: string): Promise<TreeDifference[]> {
  const isStored = (tree: string) => treeSeenMs(git.place.gitDir, tree) !== undefined;
  if (![before, after].every(isStored)) throw new GitError(NO_LONGER_STORED);
  return diffTrees(git, before, after);
}

function storeOf(root: string): string {
  return storeName(root).slice(0, 12);
}

async function writeTree(git: StoreGit, { prefix }: StoredRoot, signal: AbortSignal | undefined): Promise<string> {
  try {
    const scope = prefix === "" ? [] : [`--prefix=${prefix}/`];
    // A single flush at the end (`storeTree`) replaces one per folder.
    const args = ["-c", "core.fsync=none", "write-tree", ...scope];
    return (await git.run(args, { signal })).toString("latin1").trim();
  } catch (error) {
    if (error instanceof GitError && /prefix .* not found/.test(error.output)) return EMPTY_TREE;
    throw error;
  }
}

function isBroken(error: unknown): boolean {
  return error instanceof GitError && /index|bad object|unable to read|corrupt|signature/i.test(error.output);
}
