import { basename, isAbsolute } from "node:path";
import { costText } from "@harness/client";
import type { Result, ServerMethods, UsageSum } from "@harness/protocol";
import { countText, textTable } from "./text-table.ts";

const HEADER = ["MODEL", "REQUESTS", "INPUT", "CACHED", "OUTPUT", "COST"];

type Usage = Result<ServerMethods, "usage/get">;
type Sum = Omit<UsageSum, "requests"> & { requests?: number };

/** Tokens and cost by model, for the day, and for a session if there is one. */
export function usageTable({ byModel, day, today, session, turn }: Usage, columns?: number): string {
  const rows = [
    ...byModel.map((each) => sumRow(modelText(each), each)),
    sumRow(day, today),
    ...(session ? [sumRow("this session", session)] : []),
    ...(turn ? [sumRow("last turn", turn)] : []),
  ];
  return textTable(HEADER, rows, columns);
}

/** A model file is shown by its file name: its folder is not relevant here. */
function modelText({ provider, model }: { provider: string; model: string }): string {
  return `${provider}/${isAbsolute(model) ? basename(model) : model}`;
}

/** Many servers report 0 when they know nothing about a cache: the cell stays empty then. */
function sumRow(name: string, { requests, usage: tokens, cost }: Sum): string[] {
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
