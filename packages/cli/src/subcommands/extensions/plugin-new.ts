import { hookStages, pluginKinds, pluginLanguages } from "@harness/protocol/choices";
import { CliError } from "../../process/exit-codes.ts";
import type { SubcommandHandler } from "../run-subcommand.ts";

const USAGE = "harness plugin new tool|hook|command|provider NAME";

/** `harness plugin new KIND NAME`: writes a working program. */
export const pluginNewSubcommand: SubcommandHandler = async ({ client, line, cwd, say }) => {
  const [wanted, name, ...more] = line.positionals;
  const kind = pluginKinds.find((each) => each === wanted);
  if (!kind || name === undefined || more.length > 0) throw new CliError("usage", `Usage: ${USAGE}.`);
  const stageName = line.value("stage");
  const stage = hookStages.find((each) => each === stageName);
  if (stageName !== undefined && !stage)
    throw new CliError("usage", `There is no stage "${stageName}". The stages are ${hookStages.join(", ")}.`);
  const { path } = await client.call("plugin/new", {
    cwd,
    kind,
    name,
    lang: pluginLanguages.find((each) => each === line.value("lang")) ?? "sh",
    owner: line.has("own") ? "person" : "project",
    ...(stage ? { stage } : {}),
  });
  say(`Written: ${path}\nTry it:  harness plugin test ${path}`);
  return "done";
};
