import { ProtocolError } from "@harness/protocol";
import type { SubcommandContext, SubcommandHandler } from "../run-subcommand.ts";

/** `harness session delete ID`: to the bin; with `--now` for good, also from the bin. */
export const sessionDeleteSubcommand: SubcommandHandler = async (visit) => {
  const { client, line, say, note } = visit;
  const now = line.has("now");
  const sessionId = await namedSession(visit);
  await client.call("session/delete", { sessionId, ...(now ? { now } : {}) });
  if (line.has("json")) say(JSON.stringify({ sessionId, now }));
  else {
    say(
      now ? `${sessionId} is deleted for good.` : `${sessionId} is in the bin, and is deleted for good after 30 days.`,
    );
    if (!now) note(`harness: harness session restore ${sessionId} brings it back.`);
  }
  return "done";
};

/** Of a session in the bin, the whole id is needed. */
async function namedSession({ client, line }: SubcommandContext): Promise<string> {
  const name = line.positionals[0] ?? "";
  try {
    return (await client.call("session/get", { sessionId: name })).session.sessionId;
  } catch (error) {
    const isMissing = error instanceof ProtocolError && error.kind === "not_found";
    if (isMissing && line.has("now") && (await isInBin(client, name))) return name;
    throw error;
  }
}

async function isInBin(client: SubcommandContext["client"], sessionId: string): Promise<boolean> {
  const { sessions } = await client.call("session/list", { deleted: true, query: sessionId });
  return sessions.some((session) => session.sessionId === sessionId);
}
