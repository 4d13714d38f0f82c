import { lstatSync, statSync } from "node:fs";
import { errorCode } from "./error-code.ts";

/**
 * What was changed within this time may change again without its times showing it. File systems take the time of the
 * kernel's last tick, and ticks are up to 10 ms apart.
 */
export const UNSETTLED_MS = 25;

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
    return atMs - (statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? 0) > UNSETTLED_MS;
  } catch {
    return true;
  }
}
