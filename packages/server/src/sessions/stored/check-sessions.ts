import { setImmediate as afterEvents } from "node:timers/promises";
import type { SessionCheck, SessionStore } from "@harness/core";
import type { Result, ServerMethods } from "@harness/protocol";

/** Checks all sessions, and lists those with problems. Other work runs in between. */
export async function checkAll(store: SessionStore): Promise<Result<ServerMethods, "session/check">> {
  const sessions: SessionCheck[] = [];
  let checked = 0;
  for (const sessionId of store.ids()) {
    await afterEvents();
    const check = store.check(sessionId);
    // It was deleted in the meantime.
    if ("problem" in check && check.kind === "not_found") continue;
    checked += 1;
    if ("problem" in check) sessions.push(unreadable(sessionId, store.folderOf(sessionId) ?? "", check.problem));
    else if (check.faults.length > 0) sessions.push(check);
  }
  return { checked, sessions };
}

/** A session that cannot be read at all. */
export function unreadable(sessionId: string, folder: string, what: string): SessionCheck {
  return { sessionId, folder, facts: 0, faults: [{ path: folder, what }] };
}
