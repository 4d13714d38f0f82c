import type { SubcommandHandler } from "../run-subcommand.ts";
import { clientOf, liveSession, reachable } from "./live-session.ts";

/** `harness stop`: ends what a live session does, and the session where nobody looks at it. It stays stored. */
export const sessionStopSubcommand: SubcommandHandler = async ({ client, line, note }) => {
  const [wanted] = line.positionals;
  const session = reachable(await liveSession(client, wanted), wanted);
  const { sessionId } = session;
  const holder = await clientOf(session, { name: "harness stop" });
  try {
    const { followers } = await holder.call("session/stop", { sessionId });
    const where = followers === 1 ? "one place" : `${followers} places`;
    note(
      followers === 0
        ? `harness: session ${sessionId} has stopped. Continue it with: harness -r ${sessionId}`
        : `harness: session ${sessionId} has stopped. It is still open in ${where}; your next message there goes on with it.`,
    );
  } finally {
    holder.destroy();
  }
  return "done";
};
