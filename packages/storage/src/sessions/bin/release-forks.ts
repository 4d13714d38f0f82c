import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { LogWriteError } from "@harness/core";
import { diskProblem, type LockOwner, makePrivateFolder, takeLock, writeOwnFile } from "@harness/host";
import type { SessionFolder } from "../session-folder.ts";
import { isSessionId } from "../session-id.ts";
import type { SessionsFolder } from "../sessions-folder.ts";

/** The ids of a session's forks, including deleted ones. Throws file system errors. */
export function forksIn({ forks }: Pick<SessionFolder, "forks">): string[] {
  return existsSync(forks) ? readdirSync(forks).filter(isSessionId) : [];
}

/** Gives a session's forks their own copies of what they share with it. Throws file system errors. */
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

/** Deleting the parent finds its forks by these files. Throws a `LogWriteError`. */
export function noteFork({ sessionId: parent, forks }: SessionFolder, sessionId: string): void {
  try {
    makePrivateFolder(forks);
    writeOwnFile(join(forks, sessionId), "");
  } catch (error) {
    throw new LogWriteError(diskProblem(error, `fork session ${parent}`, forks));
  }
}
