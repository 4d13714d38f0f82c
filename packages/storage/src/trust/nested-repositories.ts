import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

const MAX_DEPTH = 4;
const MAX_FOLDERS = 1_000;
const MAX_FOUND = 100;
/** Folders filled by package managers are not searched. */
const passedBy = new Set([".git", "node_modules"]);

/**
 * Nested repositories, by their paths below the root; incomplete if there are very many folders. A `FileList` does not
 * enter ignored folders, where most of them are.
 */
export async function nestedRepositories(root: string): Promise<string[]> {
  const found: string[] = [];
  let level = [""];
  let looked = 0;
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
    const folders = level.slice(0, MAX_FOLDERS - looked);
    looked += folders.length;
    const entries = await Promise.all(folders.map((folder) => read(join(root, folder))));
    level = [];
    for (const [at, folder] of folders.entries()) {
      const inside = entries[at] ?? [];
      if (folder !== "" && inside.some(({ name }) => name === ".git")) found.push(folder);
      else level.push(...inside.filter(mayHold).map(({ name }) => (folder === "" ? name : `${folder}/${name}`)));
    }
  }
  return found.sort().slice(0, MAX_FOUND);
}

function mayHold(entry: Dirent): boolean {
  return entry.isDirectory() && !passedBy.has(entry.name);
}

function read(folder: string): Promise<Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
