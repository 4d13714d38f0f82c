import { existsSync, readdirSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { makePrivateFolder, replaceOwnFile } from "@harness/host";

/** The id of the empty tree, which every git knows without storing it. */
export const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/**
 * Records a tree, because git removes unreferenced objects. The file's time is when the state was last seen. On disk on
 * return.
 */
export function storeTree(gitDir: string, tree: string): void {
  const path = treePath(gitDir, tree);
  if (existsSync(path)) {
    const now = new Date();
    utimesSync(path, now, now);
    return;
  }
  if (!existsSync(dirname(path))) makePrivateFolder(dirname(path));
  replaceOwnFile(path, `${tree}\n`, { durable: "name" });
}

/** When the files were last seen in this state; undefined: it is no longer stored. */
export function treeSeenMs(gitDir: string, tree: string): number | undefined {
  // A log could name anything as a state of files.
  if (!/^[0-9a-f]{40,64}$/.test(tree)) return undefined;
  return statSync(treePath(gitDir, tree), { throwIfNoEntry: false })?.mtimeMs;
}

export function hasStoredTree(gitDir: string): boolean {
  if (existsSync(treePath(gitDir, EMPTY_TREE))) return true;
  try {
    return readdirSync(join(gitDir, "refs", "kept")).length > 0;
  } catch {
    return false;
  }
}

/** The empty tree needs no reference: only its time is recorded. */
export function treePath(gitDir: string, tree: string): string {
  return tree === EMPTY_TREE ? join(gitDir, "empty-seen") : join(gitDir, "refs", "kept", tree);
}
