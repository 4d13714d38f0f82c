import { lstat, readlink, realpath, rename, stat, symlink } from "node:fs/promises";
import { dirname } from "node:path";

/** A link at a protected place, with its target before the command: nothing can be mounted on a link. */
export type ProtectedLink = { path: string; target: string };

/**
 * After a command: moves away files created at places that could not be protected, and restores the links there. Left
 * in place, they would make other programs run unapproved code. Returns the new paths. Never throws.
 */
export async function quarantine(vacant: readonly string[], links: readonly ProtectedLink[]): Promise<string[]> {
  const moved: string[] = [];
  for (const path of vacant) if (await isThere(path)) moved.push(...(await moveAway(await plantedLink(path))));
  for (const { path, target } of links) {
    if ((await readlink(path).catch(() => undefined)) === target) continue;
    moved.push(...(await moveAway(path)));
    await symlink(target, path).catch(() => undefined);
  }
  return moved;
}

/** Moves these away. Returns the new paths. Never throws. */
export async function moveAll(paths: readonly string[]): Promise<string[]> {
  const moved: string[] = [];
  for (const path of paths) moved.push(...(await moveAway(path)));
  return moved;
}

export async function protectedLinks(paths: readonly string[]): Promise<ProtectedLink[]> {
  const targets = await Promise.all(paths.map((path) => readlink(path).catch(() => undefined)));
  return paths.flatMap((path, i) => {
    const target = targets[i];
    return target === undefined ? [] : [{ path, target }];
  });
}

/**
 * The path had no links before: the first component that is now a link was created by the command and may lead
 * anywhere.
 */
async function plantedLink(path: string): Promise<string> {
  let place = path;
  for (let folder = dirname(place); folder !== dirname(folder); folder = dirname(folder)) {
    if ((await realpath(folder).catch(() => folder)) !== folder) place = folder;
  }
  return place;
}

async function moveAway(path: string): Promise<string[]> {
  try {
    await lstat(path);
    let free = `${path}.set-aside`;
    for (let number = 2; await lstat(free).then(yes, no); number++) free = `${path}.set-aside-${number}`;
    await rename(path, free);
    return [free];
  } catch {
    // It was removed meanwhile, or the file system refuses.
    return [];
  }
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).then(yes, no)) || stat(path).then(yes, no);
}

const yes = () => true;
const no = () => false;
