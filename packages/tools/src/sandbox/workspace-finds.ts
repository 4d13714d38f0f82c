import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { isProtected, isSecret } from "@harness/gate";

/** Deeper ones are rare, and each protected path costs a mount. */
const MAX_DEPTH = 3;
/** Runs before each command, so it must be fast in a workspace of any size. */
const MAX_FOLDERS = 1000;
const MAX_FINDS = 300;
const READ_AT_ONCE = 16;

export type WorkspaceFinds = {
  /** The paths that the gate protects. */
  fixed: string[];
  /** The links among them. */
  links: string[];
  /** Files with secrets. */
  secrets: string[];
  /** Repositories (their `.git` folders). */
  repositories: string[];
};

/** The protected files of a workspace, nearest first, to a depth of three folders. Follows no links. Never throws. */
export async function workspaceFinds(root: string): Promise<WorkspaceFinds> {
  const finds: WorkspaceFinds = { fixed: [], links: [], secrets: [], repositories: [] };
  let level = [root];
  let left = MAX_FOLDERS;
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0 && left > 0; depth++) {
    const next: string[] = [];
    const folders = level.slice(0, left);
    left -= folders.length;
    for (let at = 0; at < folders.length; at += READ_AT_ONCE) {
      const some = folders.slice(at, at + READ_AT_ONCE);
      const listed = await Promise.all(some.map((folder) => readdir(folder, { withFileTypes: true }).catch(() => [])));
      for (const [i, entries] of listed.entries()) sort(root, some[i] ?? root, entries, finds, next);
    }
    level = next;
  }
  return {
    fixed: finds.fixed.slice(0, MAX_FINDS),
    links: finds.links.slice(0, MAX_FINDS),
    secrets: finds.secrets.slice(0, MAX_FINDS),
    repositories: finds.repositories.slice(0, MAX_FINDS),
  };
}

function sort(root: string, folder: string, entries: readonly Dirent[], finds: WorkspaceFinds, next: string[]): void {
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.name === ".git" && entry.isDirectory()) finds.repositories.push(path);
    else if (isProtected(path, root)) {
      finds.fixed.push(path);
      if (entry.isSymbolicLink()) finds.links.push(path);
    } else if (isDotenv(path)) finds.secrets.push(path);
    else if (entry.isDirectory() && entry.name !== "node_modules") next.push(path);
  }
}

function isDotenv(path: string): boolean {
  return basename(path).startsWith(".env") && isSecret(path);
}
