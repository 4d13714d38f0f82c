import { readlink, rename, rm, symlink } from "node:fs/promises";
import { hostname } from "node:os";
import type { Clock } from "@harness/core";

const LOOK_MS = 300;

/** Ends a hold on the lock. */
export type Release = () => Promise<void>;

/**
 * Waits until no other process holds the lock at `path`; undefined when the signal aborts first. The lock is a link
 * "PID@HOST", because a link is made with its content in one step. Throws what the file system throws.
 */
export async function takeLock(path: string, clock: Clock, signal: AbortSignal): Promise<Release | undefined> {
  const me = `${process.pid}@${hostname()}`;
  while (!signal.aborted) {
    try {
      await symlink(me, path);
      return () => rm(path, { force: true });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    const holder = await readlink(path).catch(() => undefined);
    if (holder !== undefined && isGone(holder)) await breakLock(path, holder);
    else await clock.sleep(LOOK_MS, signal);
  }
  return undefined;
}

/** Nobody is declared dead from another computer. */
function isGone(holder: string): boolean {
  const at = holder.indexOf("@");
  const pid = Number(holder.slice(0, at));
  if (holder.slice(at + 1) !== hostname() || !Number.isInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

/** Moved away first: of two that break it, the slower one might take the lock of the faster one. */
async function breakLock(path: string, holder: string): Promise<void> {
  const aside = `${path}.${process.pid}`;
  try {
    await rename(path, aside);
    if ((await readlink(aside)) === holder) await rm(aside, { force: true });
    else await rename(aside, path);
  } catch {
    // Somebody else was faster.
  }
}
