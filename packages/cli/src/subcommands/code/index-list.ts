import { indexedFolderLine } from "@harness/protocol";
import type { SubcommandHandler } from "../run-subcommand.ts";

/** `harness index list`: the folders that searches cover, with what their indexes have. */
export const indexListSubcommand: SubcommandHandler = async ({ client, cwd, line, say }) => {
  const { folders } = await client.call("index/list", { cwd });
  say(line.has("json") ? JSON.stringify({ folders }) : folders.map(indexedFolderLine).join("\n"));
  return "done";
};
