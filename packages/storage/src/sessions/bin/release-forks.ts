import { existsSync, readdirSync } from "node:fs";
import { type LockOwner, takeLock } from "@harness/host";
import type { SessionFolder } from "../session-folder.ts";
import { isSessionId } from "../session-id.ts";
import type { SessionsFolder } from "../sessions-folder.ts";

/** The ids of the forks of a session, deleted ones among them. Throws what the file system throws. */
export function forksIn({ forks }: Pick<SessionFolder, "forks">): string[] {
  return existsSync(forks) ? readdirSync(forks).filter(isSessionId) : [];
}

/**
 * Gives the forks of a session their own copies of what they share with it: in their logs, or beside those that are being
 * written. Throws what the file system throws.
 */
export function releaseForks(root: SessionsFolder, session: SessionFolder, owner: LockOwner): void {
  for (const sessionId of forksIn(session)) {
    const folder = root.folder(sessionId);
    const format = root.formatIn(folder);
    if (!format) continue;
    const lock = takeLock(folder.lock, owner);
    if (!("release" in lock)) {
      format.copyShared(folder);
      continue;
    }
    try {
      format.makeWhole(folder);
    } finally {
      lock.release();
    }
  }
}
