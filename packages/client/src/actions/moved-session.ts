import {
  type CallParams,
  ProtocolError,
  type Result,
  type ServerMethods,
  type SessionSummary,
} from "@harness/protocol";
import type { HarnessClient } from "../client.ts";

type Calls = Pick<HarnessClient, "call">;
type Opened = Result<ServerMethods, "session/resume">;

/** `same`: what speaks for it that the folder of the session is this one now. */
type GoneFolder = { sessionId: string; from: string; same: "folder" | "repository" | "unknown"; text: string };

/**
 * Resumes a session. Where its folder is gone it goes along to `cwd`, if that is certainly the same folder or a person wants it so;
 * else the front has to ask.
 */
export async function resumeHere(
  client: Calls,
  params: CallParams<ServerMethods, "session/resume">,
  { cwd, isWanted }: { cwd: string; isWanted: boolean },
): Promise<Opened | { gone: GoneFolder }> {
  try {
    return await client.call("session/resume", params);
  } catch (error) {
    if (!isGone(error)) throw error;
    const { sessionId, cwd: from } = error.data;
    const { sessions } = await client.call("session/moved", { cwd });
    const same = sessions.find(({ session }) => session.sessionId === sessionId)?.same ?? "unknown";
    if (!isWanted && same !== "folder") return { gone: { sessionId, from, same, text: error.message } };
    return await client.call("session/resume", { ...params, sessionId, cwd });
  }
}

/** The session to go on with in a folder that has none: one whose folder is gone, and may be this one now. */
export async function movedSession(
  client: Calls,
  cwd: string,
): Promise<{ session: SessionSummary; same: GoneFolder["same"] } | undefined> {
  const { sessions } = await client.call("session/moved", { cwd });
  return sessions[0];
}

/** Where such a session was, and why it may belong here. */
export function movedText({ session, same }: { session: SessionSummary; same: GoneFolder["same"] }): string {
  const { sessionId, cwd } = session;
  const why = same === "repository" ? ", and this is the same repository" : "";
  return `Session ${sessionId} was in ${cwd}, which does not exist any more${why}.`;
}

function isGone(error: unknown): error is ProtocolError<"folder_gone"> {
  return error instanceof ProtocolError && error.kind === "folder_gone";
}
