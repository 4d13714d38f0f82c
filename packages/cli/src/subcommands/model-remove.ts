import { CliError } from "../process/exit-codes.ts";
import type { Visitor } from "./visit.ts";

/** `harness model rm`: the file itself stays where it is. */
export const modelRemove: Visitor = async ({ client, line, say }) => {
  const [name = ""] = line.words;
  const { removed } = await client.call("models/remove", { name });
  if (!removed) throw new CliError("usage", `No model file was added as ${name}. harness models shows what there is.`);
  say(`${name} was removed. Its file stays.`);
  return "done";
};
