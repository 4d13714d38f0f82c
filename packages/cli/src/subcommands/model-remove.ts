import { CliError } from "../process/exit-codes.ts";
import type { SubcommandHandler } from "./run-subcommand.ts";

/** `harness model rm`: removes a model file from the list and keeps the file. */
export const modelRemove: SubcommandHandler = async ({ client, line, say }) => {
  const [name = ""] = line.positionals;
  const { removed } = await client.call("models/remove", { name });
  if (!removed) throw new CliError("usage", `No model file was added as ${name}. harness models shows what there is.`);
  say(`${name} was removed. Its file stays.`);
  return "done";
};
