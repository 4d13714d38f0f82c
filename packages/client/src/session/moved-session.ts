import {
  type CallParams,
  ProtocolError,
  type Result,
  type ServerMethods,
  type SessionSummary,
} from "@harness/protocol";
import type { HarnessClient } from "../client.ts";

type Calls = Pick<HarnessClient, "call">;
type MovedSession = Result<ServerMethods, "session/moved">["sessions"][number];

/** `same`: the evidence that the session's folder is now this one. */
export type GoneFolder = { sessionId: string; from: string; same: MovedSession["same"]; text: string };

/** The missing folder that a session needs, if that is why the server refused to open it. */
async function goneFolder(client: Calls, error: unknown, cwd: string): Promise<GoneFolder | undefined> {
  if (!isGone(error)) return undefined;
  const { sessionId, cwd: from } = error.data;
  const { sessions } = await client.call("session/moved", { cwd });
  const same = sessions.find(({ session }) => session.sessionId === sessionId)?.same ?? "unknown";
  return { sessionId, from, same, text: error.message };
}

/** `moved`: a session to continue if the folder has none: its own folder no longer exists, and may now be this one. */
export type NewestSession = { newest?: SessionSummary; moved?: MovedSession; problems: readonly string[] };

/** The session to continue in a folder: the newest, or one whose folder was certainly moved here. */
export async function newestSession(client: Calls, cwd: string): Promise<NewestSession> {
  const { sessions, problems = [] } = await client.call("session/list", { cwd, limit: 1 });
  const [newest] = sessions;
  if (newest) return { newest, problems: [] };
  if (problems.length > 0) return { problems };
  const [moved] = (await client.call("session/moved", { cwd })).sessions;
  if (!moved) return { problems };
  return { ...(moved.same === "folder" ? { newest: moved.session } : {}), moved, problems };
}

/** The former folder of such a session, and why it may belong here. */
export function movedText({ session, same }: MovedSession): string {
  const { sessionId, cwd } = session;
  const why = same === "repository" ? ", and this is the same repository" : "";
  return `Session ${sessionId} was in ${cwd}, which no longer exists${why}.`;
}

function isGone(error: unknown): error is ProtocolError<"folder_gone"> {
  return error instanceof ProtocolError && error.kind === "folder_gone";
}

/**
 * Opens a session. If its folder no longer exists, it continues in `cwd` if that is certainly the same folder or `isWanted`;
 * otherwise it stays closed, and the answer names the folder.
 */
export async function openAnywhere(
  server: Calls,
  params: CallParams<ServerMethods, "session/resume">,
  { cwd, isWanted }: { cwd: string; isWanted: boolean },
): Promise<Result<ServerMethods, "session/resume"> | { gone: GoneFolder }> {
  try {
    return await server.call("session/resume", params);
  } catch (error) {
    const gone = await goneFolder(server, error, cwd);
    if (!gone) throw error;
    if (!isWanted && gone.same !== "folder") return { gone };
    return await server.call("session/resume", { ...params, sessionId: gone.sessionId, cwd });
  }
}
