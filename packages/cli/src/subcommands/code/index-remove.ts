import { visibleText } from "@harness/protocol";
import type { SubcommandHandler } from "../run-subcommand.ts";

/** `harness index rm`: deletes the index of the folder; with a name a collection, whose documents stay. */
export const indexRemoveSubcommand: SubcommandHandler = async ({ client, cwd, line, say }) => {
  const [collection] = line.positionals;
  const { removed } = await client.call("index/remove", { cwd, ...(collection !== undefined && { collection }) });
  if (line.has("json")) say(JSON.stringify({ removed }));
  else if (collection !== undefined)
    say(`${visibleText(collection)} is no longer a collection. Its documents stay where they are.`);
  else say(removed ? "The index of this folder is deleted." : "This folder has no index.");
  return "done";
};
