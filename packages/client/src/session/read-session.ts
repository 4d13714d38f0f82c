import { applyUpdate, emptySession, type SessionState, type SessionUpdate } from "@harness/protocol";
import type { HarnessClient } from "../client.ts";

const PAGE = 1000;

/** Reads a stored session by id, prefix or title without opening it; undefined when there is none. */
export async function readSession(
  server: Pick<HarnessClient, "call">,
  wanted: string,
): Promise<SessionState | undefined> {
  let session: SessionState | undefined;
  for (;;) {
    const { events, more } = await server.call("session/history", {
      sessionId: session?.sessionId ?? wanted,
      after: session?.seq ?? 0,
      limit: PAGE,
    });
    const before = session?.seq ?? 0;
    for (const event of events) {
      session ??= emptySession(event.sessionId);
      // Kinds of a newer version are skipped by the fold.
      applyUpdate(session, event as SessionUpdate);
    }
    if (!more || !session || session.seq === before) return session;
  }
}
