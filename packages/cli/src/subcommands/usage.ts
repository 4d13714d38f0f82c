import { CliError } from "../process/exit-codes.ts";
import { usageTable } from "../text/usage-table.ts";
import type { SubcommandHandler } from "./run-subcommand.ts";

/** `harness usage`: the tokens and the cost of a day, for all sessions. */
export const usageSubcommand: SubcommandHandler = async ({ client, line, say }) => {
  const day = line.value("day");
  if (day !== undefined && !isDay(day))
    throw new CliError("usage", `--day takes a day such as 2026-11-21, not "${day}".`);
  const found = await client.call("usage/get", day === undefined ? {} : { day });
  if (line.has("json")) say(JSON.stringify(found));
  else if (found.today.requests === 0) say(`No requests on ${found.day}.`);
  else say(usageTable(found));
  return "done";
};

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}
