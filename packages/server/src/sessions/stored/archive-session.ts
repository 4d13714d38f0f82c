import { LogWriteError, type SessionStore } from "@harness/core";
import { protocolError, ROOT_AGENT } from "@harness/protocol";
import type { LiveEntry } from "../live-entry.ts";
import { orThrow } from "../store-errors.ts";

/** Throws `storage_failed` if its log cannot be written. */
export function archiveLive(
  { session, log }: Pick<LiveEntry, "session" | "log">,
  { archived }: { archived: boolean },
): void {
  const isArchived = () => log.digest.archived ?? false;
  if (isArchived() !== archived) session.setArchived({ archived });
  if (isArchived() !== archived)
    throw protocolError("storage_failed", `Session ${session.sessionId} stays as it is: its log cannot be written.`);
}

/** Only adds to the log. Throws a wire error if the session cannot be opened or written. */
export function archiveStored(
  store: SessionStore,
  { sessionId, archived, now }: { sessionId: string; archived: boolean; now: string },
): void {
  const { log } = orThrow(store.open(sessionId));
  try {
    if ((log.digest.archived ?? false) === archived) return;
    log.append({ agentId: ROOT_AGENT, at: now, update: { sessionUpdate: "archive_update", archived } });
  } catch (error) {
    if (error instanceof LogWriteError) throw protocolError("storage_failed", error.message);
    throw error;
  } finally {
    log.close();
  }
}
