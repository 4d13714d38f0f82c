import type { SubcommandHandler } from "../run-subcommand.ts";
import { clientOf, liveSession, reachable } from "./live-session.ts";

/** `harness stop`: ends what a live session does, and the session where nobody looks at it. It stays stored. */
export const sessionStopSubcommand: SubcommandHandler = async ({ client, line, note }) => {
  const [wanted] = line.positionals;
  const session = reachable(await liveSession(client, wanted), wanted);
  const { sessionId, clients } = session;
  const holder = await clientOf(session);
  try {
    if (clients === 0) await holder.call("session/close", { sessionId });
    else {
      await holder.call("session/cancel", { sessionId });
      // The second one also stops what its agents do in the background.
      await holder.call("session/cancel", { sessionId });
    }
  } finally {
    holder.destroy();
  }
  note(`harness: session ${sessionId} has stopped. Continue it with: harness -r ${sessionId}`);
  return "done";
};
