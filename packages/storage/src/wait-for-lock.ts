import { randomBytes } from "node:crypto";
import { dirname } from "node:path";
import type { Clock } from "@harness/gate";
import { describeOwner, type HeldLock, type Lock, takeLock, thisProcess } from "./lock-file.ts";
import { makePrivateFolder } from "./places.ts";

const LOOK_MS = 20;

/** Waits for a lock file without blocking. Throws what the file system throws. */
export async function waitForLock(path: string, limitMs: number, clock: Clock): Promise<Lock | HeldLock> {
  makePrivateFolder(dirname(path));
  const me = thisProcess(randomBytes(8).toString("hex"), new Date(clock.now()).toISOString());
  const until = clock.monotonicMs() + limitMs;
  for (;;) {
    const lock = takeLock(path, me);
    if ("release" in lock || clock.monotonicMs() > until) return lock;
    await clock.sleep(LOOK_MS);
  }
}

/** `what` is being changed: "The keys are". */
export function heldProblem(what: string, path: string, { owner }: HeldLock): string {
  return (
    `${what} being changed by another harness (${describeOwner(owner)}). Try again; ` +
    `if nothing runs there any more, delete ${path}.`
  );
}
