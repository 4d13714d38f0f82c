import { lstatSync, statSync } from "node:fs";
import { errorCode } from "./error-code.ts";

/** File systems take the time of the kernel's last tick, and ticks are up to 10 ms apart. */
const OF_TICKS_MS = 25;
/** Some count whole seconds (NFS 2, HFS+), or every second one (FAT). */
const OF_SECONDS_MS = 2_500;

/** For so long may what was changed at this time change again without its times showing it. */
export function unsettledMs(changedMs: number): number {
  return changedMs % 1_000 === 0 ? OF_SECONDS_MS : OF_TICKS_MS;
}

/** Changes whenever the file is written, replaced, made, removed, or given to others; "" where there is none. */
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

/** Was the file last changed long enough before `atMs` that its stamp names this very content? */
export function isSettled(path: string, atMs: number): boolean {
  try {
    const changedMs = statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0;
    return atMs - changedMs > unsettledMs(changedMs);
  } catch {
    return true;
  }
}
