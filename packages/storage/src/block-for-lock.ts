import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import { type HeldLock, type Lock, takeLock, thisProcess } from "./lock-file.ts";
import { makePrivateFolder } from "./places.ts";

const LOOK_MS = 5;

/**
 * Waits for a lock file and blocks meanwhile: for locks that others hold for a few milliseconds at most. Throws what the
 * file system throws.
 */
export function blockForLock(path: string, limitMs: number): Lock | HeldLock {
  makePrivateFolder(dirname(path));
  const me = thisProcess(randomBytes(8).toString("hex"), new Date().toISOString());
  const until = performance.now() + limitMs;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    const lock = takeLock(path, me);
    if ("release" in lock || performance.now() > until) return lock;
    Atomics.wait(pause, 0, 0, LOOK_MS);
  }
}
