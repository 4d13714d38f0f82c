import type { SubcommandHandler } from "../run-subcommand.ts";

/** `harness session archive ID`. */
export const sessionArchiveSubcommand = inArchive(true);
/** `harness session unarchive ID`. */
export const sessionUnarchiveSubcommand = inArchive(false);

function inArchive(archived: boolean): SubcommandHandler {
  return async ({ client, line, say, note }) => {
    const { session } = await client.call("session/get", { sessionId: line.positionals[0] ?? "" });
    const { sessionId } = session;
    await client.call("session/archive", { sessionId, archived });
    if (line.has("json")) say(JSON.stringify({ sessionId, archived }));
    else say(`${sessionId} is ${archived ? "in the archive" : "out of the archive"}.`);
    if (archived) note("harness: harness session list --archived shows the archive.");
    return "done";
  };
}
