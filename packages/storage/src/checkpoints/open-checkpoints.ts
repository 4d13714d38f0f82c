import { join, resolve } from "node:path";
import type { Checkpoints, Clock } from "@harness/core";
import type { RestoredFile } from "@harness/protocol";
import { diskProblem, errorCode } from "../disk-problem.ts";
import { KeptFolder } from "./kept-folder.ts";
import { tidySoon } from "./old-checkpoints.ts";
import { GitFailure, type GitProgram } from "./store-git.ts";
import { changesOf, type TreeDifference } from "./tree-diff.ts";

export type CheckpointOptions = {
  /** Where the stores lie, a folder each for every workspace. */
  folder: string;
  /** Folders whose files are kept, absolute, the workspace first; asked each time. */
  roots(): readonly string[];
  /** Folders that are never touched: harness's own. */
  leaveOut: string[];
  maxFileBytes: number;
  clock: Clock;
  /** Absent: `git` as `PATH` finds it. */
  git?: string;
  /** Gets what goes wrong behind the scenes. */
  report?(error: unknown, where: string): void;
};

/**
 * Checkpoints by git's plumbing, with a directory and an index of our own for each folder. An id is made of the folder's
 * store and the tree of its files, `store-tree`, for several folders with commas between them.
 */
export function openCheckpoints(options: CheckpointOptions): Checkpoints {
  const { folder, leaveOut, maxFileBytes, clock, git: command = "git", report = () => undefined } = options;
  const program = (): GitProgram => ({ command, outside: options.roots() });
  const kept = () => {
    const keep = { folder, leaveOut: [...leaveOut, folder], maxFileBytes, clock, git: program() };
    return outermost(options.roots()).map((root) => new KeptFolder(root, keep));
  };
  const show = (each: KeptFolder, index: number) => (path: string) => (index === 0 ? path : join(each.wanted, path));

  /** Calls `work` for each folder that both ids know. */
  const forBoth = async (before: string, after: string, work: ForOne): Promise<void> => {
    const [from, to] = [partsOf(before), partsOf(after)];
    for (const [index, each] of kept().entries()) {
      const store = each.store();
      const [one, other] = [from.get(store), to.get(store)];
      if (one !== undefined && other !== undefined && one !== other) await work(each, one, other, show(each, index));
    }
  };

  // Not before the caller has all it asks `roots` from.
  const cleaned = Promise.resolve().then(() => Promise.all(kept().map((each) => each.clean())));
  cleaned.catch((error: unknown) => report(error, "checkpoints.clean"));
  return {
    take: (signal) =>
      orProblem("The files could not be kept.", folder, async () => {
        const ids: string[] = [];
        const words: string[] = [];
        for (const [index, each] of kept().entries()) {
          const { store, tree, leftOut } = await each.take(signal);
          ids.push(`${store}-${tree}`);
          const said = leftOut.words(show(each, index));
          if (said !== undefined) words.push(said);
        }
        tidySoon(folder, program(), report);
        return { checkpointId: ids.join(","), ...(words.length > 0 ? { leftOut: words.join(", ") } : {}) };
      }),
    compare: (before, after) =>
      orProblem("What changed could not be found out.", folder, async () => {
        const all: TreeDifference[] = [];
        await forBoth(before, after, async (each, one, other, shown) => {
          const found = await each.compare(one, other);
          all.push(...found.map((difference) => ({ ...difference, path: shown(difference.path) })));
        });
        return changesOf(all);
      }),
    takeBack: (before, after, skip = new Set()) =>
      orProblem("The changes could not be taken back.", folder, async () => {
        const files: RestoredFile[] = [];
        await forBoth(before, after, async (each, one, other, shown) => {
          const found = await each.takeBack(one, other, (path) => skip.has(shown(path)));
          files.push(...found.map((file) => ({ ...file, path: shown(file.path) })));
        });
        return { files };
      }),
  };
}

type ForOne = (folder: KeptFolder, before: string, after: string, shown: (path: string) => string) => Promise<void>;

function partsOf(id: string): Map<string, string> {
  return new Map([...id.matchAll(/([0-9a-f]{12})-([0-9a-f]{40})/g)].map((part) => [part[1] ?? "", part[2] ?? ""]));
}

/** Each folder once: one within another is kept with that. */
function outermost(roots: readonly string[]): string[] {
  const all = [...new Set(roots.map((root) => resolve(root)))];
  return all.filter((root) => !all.some((other) => other !== root && root.startsWith(join(other, "/"))));
}

async function orProblem<T>(what: string, folder: string, work: () => Promise<T>): Promise<T | { problem: string }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GitFailure) return { problem: `${what} ${error.message}` };
    if (errorCode(error) !== undefined) return { problem: diskProblem(error, "keep the files for undo", folder) };
    return { problem: `${what} ${error instanceof Error ? error.message : String(error)}` };
  }
}
