import { basename, isAbsolute } from "node:path";
import { costText } from "@harness/client";
import type { UsageSum } from "@harness/protocol";
import { CliError } from "../process/exit-codes.ts";
import { countText, textTable } from "../text/text-table.ts";
import type { SubcommandHandler } from "./run-subcommand.ts";

const HEADER = ["MODEL", "REQUESTS", "INPUT", "CACHED", "OUTPUT", "COST"];

/** `harness usage`: the tokens and the cost of a day, over all sessions. */
export const usage: SubcommandHandler = async ({ client, line, say }) => {
  const day = line.value("day");
  if (day !== undefined && !isDay(day))
    throw new CliError("usage", `--day takes a day such as 2026-11-21, not "${day}".`);
  const found = await client.call("usage/get", day === undefined ? {} : { day });
  if (line.has("json")) say(JSON.stringify(found));
  else if (found.today.requests === 0) say(`No requests on ${found.day}.`);
  else {
    const rows = found.byModel.map((each) => sumRow(modelText(each), each));
    say(textTable(HEADER, [...rows, sumRow(found.day, found.today)]));
  }
  return "done";
};

/** A model file is shown by its file name: its folder is not relevant here. */
function modelText({ provider, model }: { provider: string; model: string }): string {
  return `${provider}/${isAbsolute(model) ? basename(model) : model}`;
}

/** Many servers report 0 when they know nothing of a cache: the cell stays empty then. */
function sumRow(name: string, { requests, usage: tokens, cost }: UsageSum): string[] {
  const { inputTokens, cacheReadTokens, outputTokens } = tokens;
  return [
    name,
    countText(requests),
    countText(inputTokens),
    countText(cacheReadTokens || undefined),
    countText(outputTokens),
    costText(cost),
  ];
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}
