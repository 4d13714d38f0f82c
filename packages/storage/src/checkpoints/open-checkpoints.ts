import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Checkpoints, CheckpointTaken } from "@harness/core";
import type { Clock } from "@harness/gate";
import { diskProblem, errorCode, realPathOrSame } from "@harness/host";
import type { RestoredFile } from "@harness/protocol";
import { CheckpointFolder, type UndoneFiles } from "./checkpoint-folder.ts";
import { treesIn } from "./checkpoint-id.ts";
import { FileDiffList } from "./file-diffs.ts";
import { createPruning } from "./prune-checkpoints.ts";
import { rootOfStore } from "./store-folder.ts";
import { GitError, type GitProgram } from "./store-git.ts";
import { changesOf, type TreeDifference } from "./tree-diff.ts";

export type CheckpointOptions = {
  /** The folder of all stores, one per workspace. */
  folder: string;
  /** The folders whose files are stored, absolute, the workspace first; called for each checkpoint. */
  roots(): readonly string[];
  /** Folders that are never touched: harness's own. */
  leaveOut: string[];
  files: UndoneFiles;
  /** Read for each checkpoint. */
  readonly maxFileBytes: number;
  clock: Clock;
  /** Absent: `git` as found in `PATH`. */
  git?: string;
  /** Receives errors of background work. */
  report?(error: unknown, where: string): void;
};

/**
 * Checkpoints through git's plumbing, with our own directory and index for each folder. An id consists of the folder's
 * store and the tree of its files, `store-tree`; several folders are separated by commas.
 */
export function openCheckpoints(options: CheckpointOptions): Checkpoints {
  const { folder, leaveOut, files, clock, git: command = "git", report = () => undefined } = options;
  const pruneSoon = createPruning(folder, report);
  const program = (): GitProgram => ({ command, outside: options.roots() });
  const checkpointFolder = (root: string) =>
    new CheckpointFolder(root, {
      folder,
      leaveOut: [...leaveOut, folder],
      files,
      maxFileBytes: options.maxFileBytes,
      clock,
      git: program(),
    });
  const kept = () => outermost(options.roots()).map(checkpointFolder);
  const show = (each: CheckpointFolder, index: number) => (path: string) =>
    index === 0 ? path : join(each.wanted, path);

  /** Calls `work` for each folder that differs; returns the folders that no longer belong to the workspace. */
  const forBoth = async (before: string, after: string, work: ForOne): Promise<string[]> => {
    const all = kept();
    const stores = all.map((each) => each.store());
    const gone: string[] = [];
    const [from, to] = [treesIn(before), treesIn(after)];
    const known = [...from.keys()].filter((store) => to.has(store));
    const differing = known.filter((store) => from.get(store) !== to.get(store));
    for (const store of differing) {
      const index = stores.indexOf(store);
      const root = all[index]?.wanted ?? rootOfStore(folder, store);
      // A folder inside one of the current folders had its own store.
      const each = all[index] ?? (root !== undefined && isWithin(root, all) ? checkpointFolder(root) : undefined);
      if (each) await work(each, from.get(store) ?? "", to.get(store) ?? "", show(each, index));
      else gone.push(root ?? "a folder without stored files");
    }
    const isAllGone = gone.length > 0 && gone.length === differing.length;
    if (isAllGone || (known.length === 0 && before !== after)) throw new GitError(keyringEntry(gone));
    return gone;
  };

  // Deferred until the caller has everything that `roots` needs.
  const cleaned = Promise.resolve().then(() => Promise.all(kept().map((each) => each.clean())));
  cleaned.catch((error: unknown) => report(error, "checkpoints.clean"));
  return {
    hasAny: () => kept().every((each) => each.hasAny()),
    take: (signal, unsaved) =>
      orProblem("The files could not be stored.", folder, async () => {
        const taken = await takeAll(kept(), show, { signal, unsaved });
        pruneSoon(program());
        return taken;
      }),
    compare: (before, after) =>
      orProblem("The changes could not be determined.", folder, async () => {
        const all: TreeDifference[] = [];
        await forBoth(before, after, async (each, one, other, shown) => {
          const found = await each.compare(one, other);
          all.push(...found.map((difference) => ({ ...difference, path: shown(difference.path) })));
        });
        return changesOf(all);
      }),
    diff: (stretches, page) =>
      orProblem("The changes could not be determined.", folder, async () => {
        const list = new FileDiffList();
        for (const { before, after, paths } of stretches) await forBoth(before, after, list.collect(paths));
        return list.page(page);
      }),
    revert: (before, after, { includes = () => true, isRedo = false } = {}) =>
      orProblem("The changes could not be undone.", folder, async () => {
        const files: RestoredFile[] = [];
        const gone = await forBoth(before, after, async (each, one, other, shown) => {
          const found = await each.revert(one, other, { includes: (path) => includes(shown(path)), isRedo });
          files.push(...found.map((file) => ({ ...file, path: shown(file.path) })));
        });
        return { files: [...files, ...gone.map(notHere)] };
      }),
  };
}

async function takeAll(
  folders: readonly CheckpointFolder[],
  show: (each: CheckpointFolder, index: number) => (path: string) => string,
  { signal, unsaved }: { signal: AbortSignal | undefined; unsaved: ReadonlyMap<string, Uint8Array> | undefined },
): Promise<CheckpointTaken> {
  const ids: string[] = [];
  const words: string[] = [];
  for (const [index, each] of folders.entries()) {
    const { store, tree, leftOut } = await each.take(signal, unsaved);
    ids.push(`${store}-${tree}`);
    const note = leftOut.words(show(each, index));
    if (note !== undefined) words.push(note);
  }
  return { checkpointId: ids.join(","), ...(words.length > 0 ? { leftOut: words.join(", ") } : {}) };
}

type ForOne = (
  folder: CheckpointFolder,
  before: string,
  after: string,
  shown: (path: string) => string,
) => Promise<void>;

function keyringEntry(folders: readonly string[]): string {
  if (folders.length === 0) return "They were stored for folders that are not in this workspace.";
  return `They were stored for ${folders.join(", ")}. If it was moved, move it back, or start harness there.`;
}

function notHere(folder: string): RestoredFile {
  return { path: folder, outcome: "kept", why: "this folder is not part of the workspace now" };
}

function isWithin(root: string, folders: readonly CheckpointFolder[]): boolean {
  return folders.some(({ wanted }) => join(root, "/").startsWith(join(realPathOrSame(wanted), "/")));
}

/**
 * Each folder once: a nested one belongs to the outer one. An additional folder may be gone; the others are not
 * affected.
 */
function outermost(roots: readonly string[]): string[] {
  const [first, ...others] = roots.map((root) => resolve(root));
  const all = [...new Set([...(first === undefined ? [] : [first]), ...others.filter((root) => existsSync(root))])];
  return all.filter((root) => !all.some((other) => other !== root && root.startsWith(join(other, "/"))));
}

async function orProblem<T>(what: string, folder: string, work: () => Promise<T>): Promise<T | { problem: string }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GitError) return { problem: `${what} ${error.message}` };
    if (errorCode(error) !== undefined) return { problem: diskProblem(error, "store the files for undo", folder) };
    return { problem: `${what} ${error instanceof Error ? error.message : String(error)}` };
  }
}
