import { readFileSync } from "node:fs";

/** True if a process runs: one that has ended, and only waits for its parent to notice, does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== "linux") return true;
    // It may end between any two calls.
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
