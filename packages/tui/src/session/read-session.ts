import { emptySession, type SessionState, type SessionUpdate } from "@harness/protocol";
import type { ServerLink } from "../client/server-link.ts";
import { takeUpdate } from "../state/session-fold.ts";

const PAGE = 1000;

/** What is stored of a session, by id, prefix or title, without opening it; undefined when there is nothing. */
export async function readSession(link: Pick<ServerLink, "call">, wanted: string): Promise<SessionState | undefined> {
  let session: SessionState | undefined;
  for (;;) {
    const { events, more } = await link.call("session/history", {
      sessionId: session?.sessionId ?? wanted,
      after: session?.seq ?? 0,
      limit: PAGE,
    });
    const before = session?.seq ?? 0;
    for (const event of events) {
      session ??= emptySession(event.sessionId);
      // Kinds of a newer version are skipped by the fold.
      takeUpdate(session, event as SessionUpdate);
    }
    if (!more || !session || session.seq === before) return session;
  }
}
