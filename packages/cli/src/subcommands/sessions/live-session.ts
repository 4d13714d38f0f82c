import { type ClientOptions, type HarnessClient, openClient, socketChannel } from "@harness/client";
import type { LiveSessionView } from "@harness/protocol";
import { VERSION } from "@harness/protocol/version";
import { CliError } from "../../process/exit-codes.ts";
import { printNote } from "../../process/print-note.ts";

/** A session, and the socket of the server that holds it. */
export type ReachableSession = LiveSessionView & { socketPath: string };

/** A live session by id, start of an id, or title; without a name the one that needs a person most. */
export async function liveSession(
  client: HarnessClient,
  wanted: string | undefined,
): Promise<LiveSessionView | undefined> {
  const { sessions } = await client.call("session/live", {});
  if (wanted === undefined) return sessions[0];
  const exact = sessions.find(({ sessionId }) => sessionId === wanted);
  if (exact) return exact;
  const name = wanted.trim().toLowerCase();
  const found = sessions.filter(
    ({ sessionId, title }) => sessionId.startsWith(wanted) || title?.trim().toLowerCase() === name,
  );
  if (found.length <= 1) return found[0];
  const ids = found.map(({ sessionId }) => sessionId).join(", ");
  throw new CliError("session", `"${wanted}" matches ${found.length} sessions: ${ids}. Type more of the id.`);
}

/** Throws a `CliError` if no server that can be reached holds it. */
export function reachable(session: LiveSessionView | undefined, wanted = "a session"): ReachableSession {
  if (!session)
    throw new CliError(
      "session",
      `No server holds ${wanted} at the moment. harness sessions --live lists what is held.`,
    );
  const { sessionId, pid, socketPath } = session;
  if (socketPath !== undefined) return { ...session, socketPath };
  throw new CliError("session", `Process ${pid} holds session ${sessionId}, but does not listen. End it there.`);
}

type ClientOfHolder = Partial<Pick<ClientOptions, "onPermission" | "onQuestion" | "onLost">> & { name?: string };

/** A client of the server that holds a session, which calls it `name`; `listeners` can answer what that server asks. */
export async function clientOf(
  { socketPath }: ReachableSession,
  { name = "harness sessions", ...listeners }: ClientOfHolder = {},
): Promise<HarnessClient> {
  const channel = await socketChannel(socketPath).catch((error: Error) => {
    throw new CliError("session", error.message);
  });
  return await openClient(channel, {
    clientInfo: { name, version: VERSION },
    onUpdate: () => undefined,
    onLost: () => undefined,
    ...listeners,
    onBug: (error, where) => printNote(`harness: internal error in ${where}: ${String(error)}`),
  });
}
