import { CliError } from "../../process/exit-codes.ts";
import type { SubcommandHandler } from "../run-subcommand.ts";

/** `harness model rm`: removes a model file from the list and keeps the file. */
export const modelRemoveSubcommand: SubcommandHandler = async ({ client, line, say }) => {
  const [name = ""] = line.positionals;
  const { removed } = await client.call("models/remove", { name });
  if (!removed) throw new CliError("usage", `There is no added model file ${name}. harness models lists the models.`);
  say(`${name} was removed from the list. The file itself stays.`);
  return "done";
};
