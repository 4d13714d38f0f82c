import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { ProtocolError } from "@harness/protocol";
import { CliError } from "../exit-codes.ts";
import { countText } from "./text-table.ts";
import type { Visit, Visitor } from "./visit.ts";

/** `harness model add`: asks before it installs what runs such files. */
export const modelAdd: Visitor = async (visit) => {
  const { line, cwd, say } = visit;
  const [file = ""] = line.words;
  const name = line.value("name");
  const asked = { path: resolve(cwd, file), ...(name === undefined ? {} : { name }) };
  const { model, installed } = await add(visit, asked);
  if (installed) say("What runs model files is installed.");
  const window = model.windowTokens === undefined ? "" : `, with a window of ${countText(model.windowTokens)} tokens`;
  say(`Added${window}. Use it with: harness --model ${model.provider}/${model.model}`);
  return "done";
};

async function add(visit: Visit, asked: { path: string; name?: string }) {
  const { client, line, note, signal } = visit;
  const install = line.has("yes");
  try {
    return await client.call("models/add", { ...asked, install }, { signal });
  } catch (error) {
    if (install || !(error instanceof ProtocolError) || error.kind !== "unsupported") throw error;
    note(`harness: ${error.message}`);
    if (!process.stdin.isTTY) throw new CliError("config", "Nothing was added: --yes allows the installation.");
    if (!(await isAgreed("Install it now? [y/N] ", signal)))
      throw new CliError("config", "Nothing was installed and nothing was added.");
    note("Installing; this may take some minutes.");
    return await client.call("models/add", { ...asked, install: true }, { signal });
  }
}

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
