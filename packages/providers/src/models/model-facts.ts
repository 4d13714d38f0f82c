import type { ModelAbilities, ModelView, Price } from "@harness/protocol";
import type { ServerModel } from "../catalogues/server-model.ts";
import { withoutUndefined } from "../json/lenient-json.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import type { ModelTable } from "./model-table.ts";

/** Facts about a model at an endpoint. The server's answer takes precedence over the table. */
export type ModelFacts = Pick<
  ModelView,
  "aliases" | "windowTokens" | "outputTokens" | "price" | "abilities" | "loaded" | "loads" | "slots"
>;

const FREE: Price = { input: 0, output: 0 };
/** Ollama runs these elsewhere. */
const RUN_ELSEWHERE = /[:-]cloud$/;

export function modelFacts(
  endpoint: Endpoint,
  model: string,
  listed: ServerModel | undefined,
  table: ModelTable,
): ModelFacts {
  const { vendor, near, isThisMachine } = endpoint;
  const known = table.facts(endpoint, model);
  const abilities: ModelAbilities = { ...known.abilities, ...listed?.abilities };
  // A vendor defined by the user may lead anywhere, so it is not assumed to be free.
  // A router lists what it charges.
  const isOwn = (isThisMachine && !vendor.listsPrices) || (vendor.local && near);
  const isFree = isOwn && vendor.file === undefined && !RUN_ELSEWHERE.test(model);
  return withoutUndefined({
    aliases: known.aliases && [...known.aliases],
    windowTokens: listed?.contextWindow ?? known.windowTokens,
    outputTokens: listed?.outputTokens ?? known.outputTokens,
    price: listed?.price ?? known.price ?? (isFree ? FREE : undefined),
    abilities: Object.keys(abilities).length > 0 ? abilities : undefined,
    loaded: listed?.loaded,
    loads: listed?.loads,
    slots: listed?.slots,
  });
}
