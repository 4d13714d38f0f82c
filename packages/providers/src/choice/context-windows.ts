import type { Clock, ContextWindow } from "@harness/core";
import type { ModelAbilities } from "@harness/protocol";
import { catalogues } from "../catalogues/catalogues.ts";
import { askAboutModel, askForModels, type ServerReport } from "../catalogues/discovery.ts";
import { MIN_USEFUL_CONTEXT_WINDOW, type ServerModel } from "../catalogues/server-model.ts";
import { knownContextWindow } from "../models/model-table.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import { type Env, envValue } from "../wires/endpoint/environment.ts";

const HOSTED_WINDOW = 128_000;

/** How a model is served: the server's answer and what follows from it. */
type ModelServing = {
  contextWindow: ContextWindow;
  /** Requests that its server handles at once; absent: no limit. */
  slots?: number;
  abilities?: ModelAbilities;
  /** True if its prompt counts omit what the server had read before. */
  countsPart?: true;
  /** A sentence: the context window is not the one that was set. */
  warning?: string;
};

export type ServingQuestion = {
  endpoint: Endpoint;
  model: string;
  /** The user's setting. */
  limit?: number | null | undefined;
  /** The server's list, if it was already requested. */
  report?: ServerReport | undefined;
  /** Contains Ollama's number of parallel requests, which its API does not report. */
  env?: Env;
};

/**
 * How a model is served, with the first known context window: the user's setting, as far as the server allows; a nearby
 * server's answer; the table; an assumption. Hosted vendors are not asked. Never throws.
 */
export async function servingOf(question: ServingQuestion, clock: Clock): Promise<ModelServing> {
  const { endpoint, model, limit } = question;
  if (!asksServer(endpoint)) return { contextWindow: limit ? set(limit) : hostedWindow(model) };
  const report = question.report ?? (await askForModels(endpoint, clock, { isChosen: true }));
  const served = await askAboutModel(report, model, clock, limit ?? undefined);
  const { abilities, countsPart } = served;
  const slots = slotsOf(question, served, report.reachable);
  return {
    ...windowOf(question, served),
    ...(slots !== undefined && { slots }),
    ...(abilities && { abilities }),
    ...(countsPart && { countsPart }),
  };
}

/** True if the server knows its context windows and is near enough to ask before the first request. */
export function asksServer(endpoint: Endpoint): boolean {
  return endpoint.vendor.local || endpoint.near;
}

/** The context window of a model according to its server's report. */
export function windowOf(
  { endpoint, model, limit }: Pick<ServingQuestion, "endpoint" | "model" | "limit">,
  served: ServerModel,
): Pick<ModelServing, "contextWindow" | "warning"> {
  if (limit) return limitedWindow(endpoint, served, limit);
  return { contextWindow: servedWindow(endpoint, served, model) };
}

function limitedWindow(
  endpoint: Endpoint,
  served: ServerModel,
  limit: number,
): Pick<ModelServing, "contextWindow" | "warning"> {
  const available = served.contextWindow;
  if (available === undefined || available >= limit) return { contextWindow: set(limit) };
  const whose = catalogues[endpoint.vendor.catalogue].choosesContextWindow
    ? `${served.id} supports at most ${available} tokens`
    : `${endpoint.vendor.name} at ${endpoint.shown} runs ${served.id} with a context window of ${available} tokens`;
  const warning = `${whose}: harness uses that instead of context_limit (${limit}).`;
  return { contextWindow: { tokens: available, source: "server" }, warning };
}

function servedWindow(endpoint: Endpoint, served: ServerModel, model: string): ContextWindow {
  if (served.contextWindow !== undefined) return { tokens: served.contextWindow, source: "server" };
  // A nearby server that passes hosted models on does not know their windows.
  const known = endpoint.vendor.local ? undefined : knownContextWindow(model);
  return known === undefined ? assumed(MIN_USEFUL_CONTEXT_WINDOW) : { tokens: known, source: "table" };
}

function hostedWindow(model: string): ContextWindow {
  const known = knownContextWindow(model);
  return known === undefined ? assumed(HOSTED_WINDOW) : { tokens: known, source: "table" };
}

/** A remote server handles parallel requests its own way. A nearby one that did not answer gets them one by one. */
function slotsOf({ endpoint, env }: ServingQuestion, served: ServerModel, isReachable: boolean): number | undefined {
  if (!endpoint.near) return undefined;
  const { local, catalogue } = endpoint.vendor;
  const slots = isReachable ? served.slots : local && catalogue !== "openai" ? 1 : undefined;
  if (catalogue !== "ollama" || slots === undefined || !env) return slots;
  const parallel = Number(envValue(env, "OLLAMA_NUM_PARALLEL"));
  return Number.isInteger(parallel) && parallel > 0 ? parallel : slots;
}

function set(tokens: number): ContextWindow {
  return { tokens, source: "setting" };
}

function assumed(tokens: number): ContextWindow {
  return { tokens, source: "assumed" };
}
