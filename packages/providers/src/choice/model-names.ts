import { isSameModel, type ServerReport } from "../catalogues/discovery.ts";
import type { ServerModel } from "../catalogues/server-model.ts";
import { type ModelTable, normalizeModelName } from "../models/model-table.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import { type Sources, tableOf } from "./model-question.ts";

/**
 * The id of the listed model that the user means: the same name, or else the only id that adds a size or a maker
 * (`qwen3` for `qwen3:8b`, `gpt-oss-20b` for `openai/gpt-oss-20b`). Several matches are ambiguous.
 */
export function listedUnder(models: readonly ServerModel[], name: string): string | undefined {
  const same = models.find((each) => isSameModel(each.id, name));
  // The name is sent as written: servers know their own aliases.
  if (same) return name;
  const wanted = name.toLowerCase();
  const similar = models.filter(({ id }) => {
    const [whole = ""] = id.toLowerCase().split(":");
    return id.toLowerCase() === wanted || whole === wanted || whole.slice(whole.lastIndexOf("/") + 1) === wanted;
  });
  return similar.length === 1 ? similar[0]?.id : undefined;
}

/**
 * A hosted vendor's id for the model that is meant. A short name is looked up in the table and, for vendors other than
 * the maker's, in the vendor's list, which is then fetched; any other name is used as it is.
 */
export async function meantAt(endpoint: Endpoint, name: string, sources: Sources): Promise<string> {
  const { vendor } = endpoint;
  const named = tableOf(sources).named(name);
  if (!named) return name;
  if (named.by !== undefined && (vendor.id === named.by || vendor.maker === named.by)) return named.model;
  const report = await sources.memory.lists.reportOfChosen(endpoint);
  if (!report.reachable || report.models.some(({ id }) => id === name)) return name;
  const wanted = normalizeModelName(named.model);
  const having = report.models.filter(({ id }) => normalizeModelName(id) === wanted);
  return having.length === 1 ? (having[0]?.id ?? name) : name;
}

/**
 * True if a hosted vendor certainly does not offer the model, or no longer does. Lists omit names that still work, so only
 * unknown names count, and only at the vendor's own address.
 */
export function isGone(report: ServerReport, model: string, table: ModelTable): boolean {
  const { endpoint } = report;
  if (!report.reachable || !endpoint.usual || endpoint.vendor.catalogue === "none") return false;
  const isListed = report.models.some(
    ({ id }) => id === model || id.startsWith(`${model}-`) || model.startsWith(`${id}:`),
  );
  return !isListed && report.models.length > 0 && Object.keys(table.facts(endpoint, model)).length === 0;
}
