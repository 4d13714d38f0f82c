import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { makePrivateFolder } from "../files/private-folder.ts";
import { sweepDrafts } from "../files/sweep-drafts.ts";
import { describeOwner, type HeldLock, type Lock, takeLock, thisProcess } from "./lock-file.ts";

const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 300;
const BLOCKING_PAUSE_MS = 5;

export type LockClock = {
  now(): number;
  monotonicMs(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

/**
 * Waits for a lock file without blocking, until the limit or until the signal aborts. Throws the file system's errors.
 */
export async function waitForLock(
  path: string,
  limitMs: number,
  clock: LockClock,
  signal?: AbortSignal,
): Promise<Lock | HeldLock> {
  makePrivateFolder(dirname(path));
  sweepDrafts(dirname(path));
  const me = thisProcess(randomBytes(8).toString("hex"), new Date(clock.now()).toISOString());
  const until = clock.monotonicMs() + limitMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, MAX_PAUSE_MS)) {
    const lock = takeLock(path, me);
    if ("release" in lock || signal?.aborted || clock.monotonicMs() > until) return lock;
    await clock.sleep(pauseMs, signal);
  }
}

/**
 * Waits for a lock file and blocks meanwhile: for locks that others hold for a few milliseconds at most. Throws the
 * file system's errors.
 */
export function blockForLock(path: string, limitMs: number): Lock | HeldLock {
  makePrivateFolder(dirname(path));
  sweepDrafts(dirname(path));
  const me = thisProcess(randomBytes(8).toString("hex"), new Date().toISOString());
  const until = performance.now() + limitMs;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    const lock = takeLock(path, me);
    if ("release" in lock || performance.now() > until) return lock;
    Atomics.wait(pause, 0, 0, BLOCKING_PAUSE_MS);
  }
}

/** `what` is being changed, such as "The keys are". */
export function lockedProblem(what: string, path: string, { owner }: HeldLock): string {
  return (
    `${what} being changed by another harness (${describeOwner(owner)}). Try again; ` +
    `if that process no longer exists, delete ${path}.`
  );
}
