import type { SubcommandHandler } from "../run-subcommand.ts";

/** `harness session restore ID`: back from the bin. */
export const sessionRestoreSubcommand: SubcommandHandler = async ({ client, line, say, note }) => {
  const restored = await client.call("session/restore", { sessionId: line.positionals[0] ?? "" });
  const { sessionId } = restored;
  if (line.has("json")) say(JSON.stringify(restored));
  else {
    say(`${sessionId} is restored.`);
    note(`harness: harness -r ${sessionId} opens it.`);
  }
  return "done";
};
