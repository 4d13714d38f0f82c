import { type BigIntStats, statSync } from "node:fs";
import { lstat, stat } from "node:fs/promises";
import type { Paths } from "@harness/gate";
import { realPathIfThere, realPathOf } from "@harness/host";
import { isOnOwnDisk } from "./own-disk.ts";

const LOOK = { bigint: true, throwIfNoEntry: false } as const;

/**
 * The paths of this machine; `home` is the folder that `~` means in commands. The folders of the workspace, which every
 * call asks about, answer at once where they are on a disk of this machine: a thread for each question takes longer than
 * the answer. All others may be anywhere, and are waited for.
 */
export function realPaths(home: string): Paths {
  /** Of the folders of the workspace: is it on a disk of this machine? */
  const isNear = new Map<string, boolean>();
  return {
    home,
    exists,
    real: realPathOf,
    realNow: (path) => (isNear.get(path) ? realPathIfThere(path) : undefined),
    identity: (path) => (isNear.get(path) ? identityNow(path) : identityOf(path, isNear)),
  };
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Also notes whether the folder is near. */
async function identityOf(path: string, isNear: Map<string, boolean>): Promise<string | undefined> {
  try {
    const identity = identityIn(await stat(path, { bigint: true }));
    if (!isNear.has(path)) isNear.set(path, await isOnOwnDisk(path));
    return identity;
  } catch {
    return undefined;
  }
}

function identityNow(path: string): string | undefined {
  try {
    const found = statSync(path, LOOK);
    return found && identityIn(found);
  } catch {
    return undefined;
  }
}

/** Numbers of folders are given again when one is deleted: when it was made belongs to it. */
function identityIn({ dev, ino, birthtimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${birthtimeNs}`;
}
