import { constants, lstatSync, mkdirSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { copyOwnFile } from "@harness/host";
import type { StoreGit } from "./store-git.ts";
import { NOT_STORED } from "./tree-diff.ts";

/** A folder with a copy of stored files: `workTree`, and git's index of it. */
export type FolderCopy = { workTree: string; index: string };

/** The source of the files: the store, and the folder itself for files that are not stored. */
type Origin = { store: StoreGit; root: string };

/** Writes the files of a tree into the folder of `git`, which contains none of them. Throws `GitError`. */
export async function writeCopy(git: StoreGit, tree: string, { store, root }: Origin): Promise<void> {
  await git.run(["read-tree", tree]);
  const absent = await notStoredIn(store, tree);
  const without = absent.map((path) => `0 ${"0".repeat(40)}\t${path}\0`).join("");
  if (absent.length > 0) await git.run(["update-index", "-z", "--index-info"], { input: without });
  await git.run(["checkout-index", "-a", "-q", "-u"]);
  for (const path of absent) await copyOne(join(root, path), join(git.place.workTree, path));
}

async function notStoredIn(store: StoreGit, tree: string): Promise<string[]> {
  const list = (await store.run(["ls-tree", "-r", "-z", tree])).toString("utf8").split("\0");
  return list.flatMap((line) => (line.startsWith(NOT_STORED) ? [line.slice(line.indexOf("\t") + 1)] : []));
}

/** Keeps the modification time, which later shows whether the file was changed. An unreadable file is skipped. */
async function copyOne(from: string, to: string): Promise<void> {
  try {
    const { atime, mtime } = lstatSync(from);
    mkdirSync(dirname(to), { recursive: true });
    await copyOwnFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    utimesSync(to, atime, mtime);
  } catch {
    // It no longer exists, or we may not read it.
  }
}
