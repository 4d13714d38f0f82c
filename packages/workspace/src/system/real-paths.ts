import { type BigIntStats, statSync } from "node:fs";
import { lstat, stat } from "node:fs/promises";
import type { Paths } from "@harness/gate";
import { realPathIfThere, realPathOf } from "@harness/host";
import { isOnOwnDisk } from "./own-disk.ts";

const LOOK = { bigint: true, throwIfNoEntry: false } as const;

/**
 * The paths of this machine; `home` is the meaning of `~` in commands. Workspace folders, which every call asks about,
 * are resolved synchronously if they are on a disk of this machine: a thread for each question takes longer than the
 * answer. All others may be anywhere, and are awaited.
 */
export function realPaths(home: string): Paths {
  /** For workspace folders: whether they are on a disk of this machine. */
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

/** Also records whether the folder is near. */
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

/** The number of a deleted folder is reused, so the creation time is included. */
function identityIn({ dev, ino, birthtimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${birthtimeNs}`;
}
