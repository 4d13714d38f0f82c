import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** A check over a network can take seconds; one that takes longer has been killed. */
const PATIENCE_MS = 20_000;
const STEP_MS = 1;

/**
 * Must be called before the program does anything. bin/harness checks the sources while Node starts; if they are newer
 * than the bundle, this process becomes bin/harness once more, which builds them first. Returns at once without a
 * check, or if it found nothing. `folder`: the folder of the bundle.
 */
export function heedSourceLook(folder: string, environment: NodeJS.ProcessEnv = process.env): void {
  const look = environment.HARNESS_LOOK;
  if (look === undefined) return;
  // Must not be inherited by programs started from here.
  delete environment.HARNESS_LOOK;
  if (!foundNewer(look)) return;
  const launcher = join(folder, "../bin/harness");
  // The name is what `ps` shows.
  process.execve?.("/bin/sh", ["sh", launcher, ...process.argv.slice(2)], { ...environment, HARNESS_LOOK: "newer" });
}

function foundNewer(look: string): boolean {
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (let waitedMs = 0; !existsSync(look); waitedMs += STEP_MS) {
    if (waitedMs >= PATIENCE_MS || !existsSync(`${look}.part`)) return existsSync(look) && takeSize(look) > 0;
    Atomics.wait(clock, 0, 0, STEP_MS);
  }
  return takeSize(look) > 0;
}

function takeSize(look: string): number {
  const { size } = statSync(look);
  rmSync(look, { force: true });
  return size;
}
