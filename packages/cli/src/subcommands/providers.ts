import { textTable } from "../text/text-table.ts";
import type { SubcommandHandler } from "./run-subcommand.ts";

const HEADER = ["PROVIDER", "NAME", "READY", "ADDRESS, OR WHAT IS MISSING"];

/** `harness providers`: the providers, and the one that a new session uses. */
export const providersSubcommand: SubcommandHandler = async ({ client, line, say, note }) => {
  const found = await client.call("providers/list", {});
  if (line.has("json")) {
    say(JSON.stringify(found));
    return "done";
  }
  const rows = found.providers.map(({ id, name, ready, detail }) => [id, name, ready ? "yes" : "no", detail]);
  say(textTable(HEADER, rows, process.stdout.isTTY ? process.stdout.columns : undefined));
  const { selected, advice = [], problems = [] } = found;
  for (const problem of problems) note(`harness: ${problem}`);
  if (selected) note(`A new session uses ${selected.provider}/${selected.model}.`);
  if (selected?.warning) note(`harness: ${selected.warning}`);
  for (const each of advice) note(each);
  return "done";
};
