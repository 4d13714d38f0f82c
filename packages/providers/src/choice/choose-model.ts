import type { ContextWindow } from "@harness/core";
import type { ToolMode } from "@harness/protocol";
import { catalogues } from "../catalogues/catalogues.ts";
import { isSameModel, type ServerReport } from "../catalogues/discovery.ts";
import { ModelLoader } from "../loading/model-loader.ts";
import { type ModelFacts, modelFacts } from "../models/model-facts.ts";
import { placeWords } from "../vendors/endpoint-place.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import type { WireProvider } from "../wires/wire-api.ts";
import { assembleProvider } from "./assemble-provider.ts";
import { servingOf, windowOf } from "./context-windows.ts";
import { type ModelQuestion, type ResolvedModel, tableOf } from "./model-question.ts";

/** No reply needs more; a larger number would only take room from the prompt. */
const MAX_REPLY = 32_000;
/** Dividing the window by this gives the most that a reply may ask for. */
const REPLY_SHARE = 6;
const MIN_REPLY_LIMIT = 8_192;

export type ServedModelChoice = {
  endpoint: Endpoint;
  model: string;
  report?: ServerReport;
  warning?: string;
  away?: string;
};

/** Collects everything that a session needs to know about a model. Never throws. */
export async function chooseModel(
  { endpoint, model, report, warning, away }: ServedModelChoice,
  ask: ModelQuestion,
): Promise<ResolvedModel> {
  const { vendor } = endpoint;
  const { clock, env, memory } = ask;
  const serving = await servingOf({ endpoint, model, limit: ask.contextLimit, report, env }, clock);
  const record = ask.capabilities?.(vendor.id, model, endpoint.shown);
  const facts = knownOf(endpoint, model, report ?? memory.lists.atHand(endpoint), ask);
  const abilities = { ...facts.abilities, ...serving.abilities };
  const windowAt = (reported: ContextWindow) =>
    narrowed(windowFrom(reported, facts.windowTokens), record?.windowTokens);
  const contextWindow = windowAt(serving.contextWindow);
  const maxOutputTokens = replyLimit(endpoint, ask, facts, contextWindow);
  const toolMode: ToolMode = record?.toolMode ?? (abilities.tools === false ? "prompted" : "native");
  const reached: Endpoint = { ...endpoint, ...(serving.countsPart && { countsPart: true }) };
  const ports = { clock, random: ask.random ?? Math.random };
  const loader = loaderOf(endpoint, model, ask);
  const warnings = [warning, serving.warning].filter((each) => each !== undefined).join(" ");
  const { provider, plain } = assembleProvider(reached, {
    ...ports,
    env,
    memory,
    slots: serving.slots,
    loader,
    toolMode,
    seesImages: abilities.images,
  });
  const advice = adviceOf(endpoint);
  const choice: ResolvedModel = {
    provider,
    plain,
    model,
    contextWindow,
    toolMode,
    abilities,
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(facts.price && { price: facts.price }),
    ...(loader && { load: loading(loader, { endpoint, model, limit: ask.contextLimit }, windowAt) }),
    ...(ask.effort && { effort: ask.effort }),
    ...(hasSpareSlots(endpoint, serving.slots) && { hasSpareSlots: true }),
    ...(away !== undefined && { away }),
    ...(advice !== undefined && { contextWindowAdvice: advice }),
    vendor: {
      ...{ id: vendor.id, name: vendor.name, local: vendor.local },
      ...{ address: endpoint.shown, place: placeWords(endpoint) },
    },
    ...(warnings !== "" && { warning: warnings }),
  };
  if (!choice.price && vendor.listsPrices) {
    choice.provider = withPriceLater(provider, choice, endpoint, ask);
    choice.plain = withPriceLater(plain, choice, endpoint, ask);
  }
  return choice;
}

/** A server on this machine that does not tell its slots may have one. */
function hasSpareSlots({ near }: Endpoint, slots: number | undefined): boolean {
  return slots === undefined ? !near : slots > 1;
}

/** Present if the server loads models on request. */
function loaderOf(endpoint: Endpoint, model: string, { memory, contextLimit }: ModelQuestion): ModelLoader | undefined {
  if (!catalogues[endpoint.vendor.catalogue].load) return undefined;
  const wanted = { endpoint, model, contextWindow: contextLimit || undefined };
  return new ModelLoader(model, (watch) => memory.loads.load(wanted, watch));
}

/** Loads the model, and returns its context window afterwards. */
function loading(
  loader: ModelLoader,
  question: Parameters<typeof windowOf>[0],
  windowAt: (reported: ContextWindow) => ContextWindow,
): NonNullable<ResolvedModel["load"]> {
  return async (watch) => {
    const outcome = await loader.load(watch);
    if (!outcome || "failure" in outcome) return outcome;
    const { contextWindow, warning } = windowOf(question, { id: question.model, ...outcome.served });
    return { contextWindow: windowAt(contextWindow), ...(warning !== undefined && { warning }) };
  };
}

function knownOf(endpoint: Endpoint, model: string, report: ServerReport | undefined, ask: ModelQuestion): ModelFacts {
  const listed = report?.reachable ? report.models.find((each) => isSameModel(each.id, model)) : undefined;
  return modelFacts(endpoint, model, listed, tableOf(ask));
}

/** A measured context window narrows a server's claim, but not the user's setting. */
function narrowed(window: ContextWindow, measured: number | undefined): ContextWindow {
  if (measured === undefined || measured >= window.tokens || window.source === "setting") return window;
  return { tokens: measured, source: "server" };
}

/** Known facts about the model apply if the server was not asked or did not say. */
function windowFrom(served: ContextWindow, known: number | undefined): ContextWindow {
  if (known === undefined || served.source === "setting" || served.source === "server") return served;
  return { tokens: known, source: "table" };
}

/**
 * The user's setting, up to the model's limit. Otherwise none, because vendors know best; only Anthropic's format
 * requires a number, and prompt and reply must fit the context window together.
 */
function replyLimit(
  endpoint: Endpoint,
  ask: ModelQuestion,
  { outputTokens }: ModelFacts,
  window: ContextWindow,
): number | undefined {
  const set = ask.maxOutputTokens ?? endpoint.vendor.maxOutputTokens;
  if (set !== undefined) return Math.min(set, outputTokens ?? set);
  if (endpoint.api !== "anthropic") return undefined;
  if (outputTokens === undefined) return Math.min(MIN_REPLY_LIMIT, Math.floor(window.tokens / 2));
  return Math.min(outputTokens, MAX_REPLY, Math.max(1_024, Math.floor(window.tokens / REPLY_SHARE)));
}

function adviceOf({ vendor, near }: Endpoint): string | undefined {
  if (vendor.contextWindowAdvice !== undefined) return vendor.contextWindowAdvice;
  return near ? "Set context_limit to the server's actual context window." : undefined;
}

/** The list is long: it is fetched while the model thinks about the first answer, not before. */
function withPriceLater(
  provider: WireProvider,
  choice: ResolvedModel,
  endpoint: Endpoint,
  ask: ModelQuestion,
): WireProvider {
  let isAsked = false;
  const learn = async () => {
    const { price } = knownOf(endpoint, choice.model, await ask.memory.lists.reportOfChosen(endpoint), ask);
    if (price) choice.price = price;
  };
  return {
    id: provider.id,
    async *stream(request, signal) {
      if (!isAsked) void learn();
      isAsked = true;
      yield* provider.stream(request, signal);
    },
  };
}
