import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { syncFolder } from "@harness/host";
import type { Disk } from "../disk.ts";

/** A new name in a session's folder of saved texts. */
export function textPath(blobs: string, suffix: string): string {
  return join(blobs, `${randomBytes(6).toString("hex")}${suffix.replace(/[^A-Za-z0-9._-]/g, "")}`);
}

/** Flushes texts of this folder, with their names. Throws file system errors. */
export function syncTexts(disk: Disk, blobs: string, paths: readonly string[]): void {
  if (paths.length === 0) return;
  for (const path of paths) {
    const fd = disk.open(path);
    try {
      disk.sync(fd);
    } finally {
      disk.close(fd);
    }
  }
  syncFolder(blobs);
}
