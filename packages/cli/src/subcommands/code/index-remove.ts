import type { SubcommandHandler } from "../run-subcommand.ts";

/** `harness index rm`: deletes the index of the folder. */
export const indexRemoveSubcommand: SubcommandHandler = async ({ client, cwd, line, say }) => {
  const { removed } = await client.call("index/remove", { cwd });
  if (line.has("json")) say(JSON.stringify({ removed }));
  else say(removed ? "The index of this folder is deleted." : "This folder has no index.");
  return "done";
};
