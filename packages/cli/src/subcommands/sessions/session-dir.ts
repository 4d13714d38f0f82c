import type { SubcommandHandler } from "../run-subcommand.ts";

/** `harness session dir [ID]`: where a session is stored, or all of them. */
export const sessionDirSubcommand: SubcommandHandler = async ({ client, line, say }) => {
  const [sessionId] = line.positionals;
  const { path } = await client.call("session/folder", sessionId === undefined ? {} : { sessionId });
  say(line.has("json") ? JSON.stringify({ path }) : path);
  return "done";
};
