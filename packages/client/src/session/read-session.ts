import { applyUpdate, emptySession, type SessionState, type SessionUpdate } from "@harness/protocol";
import type { HarnessClient } from "../client.ts";

const PAGE = 1000;

/** Reads a stored session by id, prefix or title without opening it; undefined: there is none. */
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
      // The fold skips kinds of a newer version.
      applyUpdate(session, event as SessionUpdate);
    }
    if (!more || !session || session.seq === before) return session;
  }
}

/** The last facts of a long session; undefined: it is short, or only the whole can tell. Never rejects. */
export async function readTail(server: Pick<HarnessClient, "call">, wanted: string): Promise<SessionState | undefined> {
  // Opening it says what is wrong.
  const page = await server.call("session/tail", { sessionId: wanted }).catch(() => undefined);
  const [first] = page?.events ?? [];
  if (!page?.more || first?.seq === undefined) return undefined;
  const session = emptySession(first.sessionId);
  session.seq = first.seq - 1;
  for (const event of page.events) applyUpdate(session, event as SessionUpdate);
  return session;
}
