import { readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { errorCode } from "@harness/host";
import { confPath, isOnlyConf, type SessionConf } from "./conf/session-conf.ts";

/**
 * Removes a session without messages, whose log is gone already: empty folders, and `session.conf` as harness last wrote it.
 * If there is anything else, everything stays. Never throws.
 */
export function removeUnused(dir: string, conf: SessionConf | undefined): void {
  try {
    for (const name of ["messages", "images"]) removeEmpty(join(dir, name));
    const own = basename(confPath(dir));
    if (readdirSync(dir).some((name) => name !== own)) return;
    if (conf !== undefined && isOnlyConf(dir, conf)) unlinkSync(confPath(dir));
    removeEmpty(dir);
  } catch {
    // It is in use, or has something in it.
  }
}

function removeEmpty(dir: string): void {
  try {
    rmdirSync(dir);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
