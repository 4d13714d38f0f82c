import { CliError } from "../../process/exit-codes.ts";
import type { SubcommandHandler } from "../run-subcommand.ts";

/** `harness session rename ID TITLE`. */
export const sessionRenameSubcommand: SubcommandHandler = async ({ client, line, say }) => {
  const [name = "", ...words] = line.positionals;
  const title = words.join(" ").trim();
  if (name === "" || title === "")
    throw new CliError("usage", "Give a session and its new title: harness session rename ID TITLE");
  const { session } = await client.call("session/get", { sessionId: name });
  const { sessionId } = session;
  await client.call("session/set_title", { sessionId, title });
  say(line.has("json") ? JSON.stringify({ sessionId, title }) : `${sessionId} is now called ${title}.`);
  return "done";
};
