import { existsSync, readdirSync } from "node:fs";
import type { StoreProblem } from "@harness/core";
import { describeOwner, type LockOwner, takeLock } from "@harness/host";
import type { SessionFolder } from "../session-folder.ts";
import { isSessionId } from "../session-id.ts";
import type { SessionsFolder } from "../sessions-folder.ts";

/** The ids of the forks of a session, deleted ones among them. Throws what the file system throws. */
export function forksIn({ forks }: Pick<SessionFolder, "forks">): string[] {
  return existsSync(forks) ? readdirSync(forks).filter(isSessionId) : [];
}

/** Gives the forks of a session their own copies of what they share with it. Throws what the file system throws. */
export function releaseForks(root: SessionsFolder, session: SessionFolder, owner: LockOwner): StoreProblem | undefined {
  for (const sessionId of forksIn(session)) {
    const folder = root.folder(sessionId);
    const format = root.formatIn(folder);
    if (!format) continue;
    const lock = takeLock(folder.lock, owner);
    if (!("release" in lock))
      return {
        kind: "locked",
        problem: `Session ${session.sessionId} is not deleted: session ${sessionId} was forked from it and is open (${describeOwner(lock.owner)}). Close that one first.`,
      };
    try {
      format.makeWhole(folder);
    } finally {
      lock.release();
    }
  }
  return undefined;
}
