import { resolve } from "node:path";
import { indexText } from "@harness/client/actions";
import { visibleText } from "@harness/protocol";
import type { SubcommandHandler } from "../run-subcommand.ts";
import { withProgress } from "./index-refresh.ts";

/** `harness index add DIR`: a folder of documents that is searched in every workspace; returns when it is indexed. */
export const indexAddSubcommand: SubcommandHandler = async (visit) => {
  const { client, cwd, line, say, stopping } = visit;
  const [folder = ""] = line.positionals;
  const name = line.value("name");
  const collection = { folder: resolve(cwd, folder), ...(name !== undefined && { name }) };
  const added = await withProgress(visit, () =>
    client.call("index/add", { cwd, ...collection }, { signal: stopping.signal }),
  );
  if (line.has("json")) say(JSON.stringify(added));
  else
    say(
      `${visibleText(added.name)} is added, with ${indexText(added.index)}. Search it alone with: harness search WORDS --in ${visibleText(added.name)}`,
    );
  return "done";
};
