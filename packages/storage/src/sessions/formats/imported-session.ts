import { LogWriteError, type SessionHeader, type SessionLog, type SessionStore } from "@harness/core";

/**
 * Writes a new session with `write`. If that fails, the session is removed: nobody wants half a conversation in their
 * list.
 */
export async function writeImported(
  store: SessionStore,
  header: Omit<SessionHeader, "version" | "client">,
  { isForeign, write }: { isForeign: boolean; write(log: SessionLog): Promise<void> | void },
): Promise<void> {
  const log = store.create({ ...header, version: 1, client: "import" }, { isForeign });
  try {
    await write(log);
    log.close();
  } catch (error) {
    closeQuietly(log);
    store.remove(header.sessionId);
    throw error;
  }
}

/** The session is removed anyway, so a failed write to disk does not matter. */
function closeQuietly(log: SessionLog): void {
  try {
    log.close();
  } catch (error) {
    if (!(error instanceof LogWriteError)) throw error;
  }
}

/** A time from a file as an ISO date; undefined if it is not a time. */
export function importedTime(value: unknown): string | undefined {
  const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
