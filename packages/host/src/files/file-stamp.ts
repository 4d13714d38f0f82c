import { lstatSync, statSync } from "node:fs";
import { errorCode } from "./error-code.ts";

/** File systems take the time of the kernel's last tick, and ticks are up to 10 ms apart. */
const OF_TICKS_MS = 25;
/** Some count whole seconds (NFS 2, HFS+), or every other second (FAT). */
const OF_SECONDS_MS = 2_500;

/** How long something changed at this time may change again without its times showing it. */
export function unsettledMs(changedMs: number): number {
  return changedMs % 1_000 === 0 ? OF_SECONDS_MS : OF_TICKS_MS;
}

/**
 * Changes whenever the file is written, replaced, created, removed, or given a new owner or mode; "" if there is none.
 */
export function fileStamp(path: string): string {
  try {
    const own = lstatSync(path, { throwIfNoEntry: false, bigint: true });
    if (!own) return "";
    const stat = own.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false, bigint: true }) : own;
    if (!stat) return "dangling";
    return `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs} ${stat.mode} ${stat.uid}`;
  } catch (error) {
    return errorCode(error) ?? "unknown";
  }
}

/** True if the file was last changed long enough before `atMs` that its stamp identifies its content. */
export function isSettled(path: string, atMs: number): boolean {
  try {
    const changedMs = statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0;
    return atMs - changedMs > unsettledMs(changedMs);
  } catch {
    return true;
  }
}
