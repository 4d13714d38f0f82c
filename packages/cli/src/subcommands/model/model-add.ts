import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { countText } from "../../text/text-table.ts";
import type { SubcommandHandler } from "../run-subcommand.ts";

/** `harness model add`: asks before it installs the runtime of model files. */
export const modelAddSubcommand: SubcommandHandler = async ({ client, line, cwd, say, note, stopping: { signal } }) => {
  const [file = ""] = line.positionals;
  const name = line.value("name");
  const params = { path: resolve(cwd, file), ...(name === undefined ? {} : { name }) };
  const add = (install: boolean) => client.call("models/add", { ...params, install }, { signal });
  const isAllowed = line.has("yes");
  if (isAllowed) note(INSTALLING);
  const { model, installed } = await add(isAllowed);
  const window =
    model.windowTokens === undefined ? "" : `, with a context window of ${countText(model.windowTokens)} tokens`;
  const howToUse = `Use it with: harness --model ${model.provider}/${model.model}`;
  say(`Added as ${model.model}${window}.${installed ? ` ${howToUse}` : ""}`);
  if (installed) return "done";
  note("The runtime for model files is not installed yet: node-llama-cpp, from npm.");
  if (process.stdin.isTTY && (await isAgreed("Install it now? [y/N] ", signal))) {
    note(INSTALLING);
    await add(true);
    say(`It is installed. ${howToUse}`);
    return "done";
  }
  note("The model cannot be used without it. To install it, repeat the command with --yes.");
  return "config";
};

const INSTALLING = "Installing the runtime for model files if needed; this can take some minutes.";

async function isAgreed(question: string, signal: AbortSignal): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(question, { signal })).trim());
  } catch {
    return false;
  } finally {
    lines.close();
  }
}
