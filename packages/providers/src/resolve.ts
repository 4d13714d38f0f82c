import type { Clock, ModelChoice } from "@harness/core";
import { modelAdvice } from "./advice.ts";
import { catalogues } from "./catalogues.ts";
import { providerAt } from "./create-provider.ts";
import { isSameModel, lookAt, type ServerReport } from "./discovery.ts";
import { type Endpoint, type Env, endpointOf, given, hasAccess } from "./endpoint.ts";
import { type Vendor, vendorOf, vendors } from "./vendors.ts";
import { asksServer, windowOf } from "./window.ts";

/** Empty texts count as not given. */
export type ModelAsk = {
  provider?: string | undefined;
  model?: string | undefined;
  /** The model was named for this very session, by a flag or a command: another one would be no answer. */
  exact?: boolean;
  contextLimit?: number | null | undefined;
  effort?: string | undefined;
  env: Env;
  clock: Clock;
  /** Jitter of retries, from 0 up to 1. */
  random?: () => number;
};

export type ResolvedModel = ModelChoice & {
  vendor: { id: string; name: string; local: boolean; address: string };
  /** The choice is not quite what was asked for. */
  warning?: string;
};

/** `advice` says in three lines how to get a model. */
export type UnresolvedModel = { problem: string; advice: string[] };

/**
 * Chooses who answers. Never throws.
 *
 * 1. Provider and model as given.
 * 2. A provider alone: its default model; where it has none, the first that the server lists, one in memory first.
 * 3. A model alone: `vendor/model` names its vendor when that one can be used, and is otherwise an id that contains a
 *    slash. Without a vendor it must be clear who is meant: the only one that has a key or an address, or else the only
 *    local server that lists the model.
 * 4. Nothing: a hosted vendor with an address from a variable, a local server whose address was set and that answers, one
 *    with a key in the order of the table, and only then a local server that answers and has a model. Keys win over
 *    servers that nobody named because a key is put there on purpose, and because the choice then needs no request.
 *
 * Hosted vendors are not asked anything when provider and model are known; near servers are asked for their window.
 */
export async function resolveModel(ask: ModelAsk): Promise<ResolvedModel | UnresolvedModel> {
  if (ask.provider) {
    const vendor = vendorOf(ask.provider);
    if (vendor) return withVendor(vendor, ask.model || undefined, ask);
    const known = vendors.map(({ id }) => id).join(", ");
    return unresolved(`There is no provider ${JSON.stringify(ask.provider)}. There are: ${known}.`);
  }
  const broken = brokenAddress(ask.env);
  if (broken !== undefined) return unresolved(broken);
  return ask.model ? withModel(ask.model, ask) : withNothing(ask);
}

/** An address that somebody set and that cannot be read is no reason to talk to somebody else instead. */
function brokenAddress(env: Env): string | undefined {
  for (const vendor of vendors) {
    const located = given(env, vendor.baseUrlEnv) === undefined ? undefined : endpointOf(vendor, env);
    if (located && !located.ok) return located.problem;
  }
  return undefined;
}

async function withVendor(
  vendor: Vendor,
  model: string | undefined,
  ask: ModelAsk,
): Promise<ResolvedModel | UnresolvedModel> {
  const located = endpointOf(vendor, ask.env);
  if (!located.ok) return unresolved(located.problem);
  const { endpoint } = located;
  if (!hasAccess(endpoint)) {
    const where = "in the environment or in a .env file";
    return unresolved(`${vendor.name} needs an API key. Set ${vendor.keyEnv} ${where}.`);
  }
  const isKnown = model !== undefined || (endpoint.usual && vendor.defaultModel !== undefined);
  if (isKnown && !asksServer(endpoint)) return choose(endpoint, model ?? vendor.defaultModel ?? "", ask);
  return fromReport(await lookAt(endpoint, ask.clock, true), model, ask);
}

/** A model that the server surely refuses gives way to the first one it has, with a word about it. */
function fromReport(
  report: ServerReport,
  model: string | undefined,
  ask: ModelAsk,
): Promise<ResolvedModel> | UnresolvedModel {
  const { endpoint } = report;
  const { vendor } = endpoint;
  if (!report.reachable) {
    // The request itself will say what is wrong, if it still is.
    return model === undefined ? unresolved(report.problem) : choose(endpoint, model, ask);
  }
  const first = (report.models.find((each) => each.loaded) ?? report.models[0])?.id;
  if (model === undefined) {
    if (first !== undefined) return choose(endpoint, first, ask, report);
    return unresolved(`${vendor.name} at ${endpoint.shown} has no model. ${vendor.models}`);
  }
  const isListed = report.models.some((each) => isSameModel(each.id, model));
  if (isListed || first === undefined || !catalogues[vendor.catalogue].namesAreBinding) {
    return choose(endpoint, model, ask, report);
  }
  const missing = `${vendor.name} at ${endpoint.shown} has no model ${JSON.stringify(model)}`;
  if (ask.exact) {
    const some = report.models.slice(0, 5).map(({ id }) => id);
    return unresolved(`${missing}. It has: ${some.join(", ")}. ${vendor.models}`);
  }
  const warning = `${missing}: using ${first}. ${vendor.models}`;
  return choose(endpoint, first, ask, report, warning);
}

async function withModel(model: string, ask: ModelAsk): Promise<ResolvedModel | UnresolvedModel> {
  const slash = model.indexOf("/");
  const named = vendorOf(model.slice(0, Math.max(slash, 0)));
  const rest = model.slice(slash + 1);
  if (named && rest !== "" && isVendorPrefix(named, rest, ask.env)) return withVendor(named, rest, ask);
  const chosen = chosenHosted(ask.env);
  if (chosen.length > 1) return unclear(model, chosen, "can be used");
  const [only] = chosen;
  if (only) return withVendor(only.vendor, model, ask);
  const reports = (await lookAtLocal(ask)).filter((report) => report.reachable);
  const having = reports.filter((report) => report.models.some((each) => isSameModel(each.id, model)));
  const candidates = having.length > 0 ? having : reports;
  const [report] = candidates;
  if (!report) return nothingReady();
  if (candidates.length === 1) return fromReport(report, model, ask);
  const endpoints = candidates.map((each) => each.endpoint);
  return unclear(model, endpoints, having.length > 0 ? "have it" : "are running, and none of them has it");
}

/** All ids of OpenRouter have a slash, and its own ones begin with its name: `openrouter/auto` is such a one. */
function isVendorPrefix(vendor: Vendor, rest: string, env: Env): boolean {
  if (vendor.id === "openrouter" && !rest.includes("/")) return false;
  const located = endpointOf(vendor, env);
  return located.ok && hasAccess(located.endpoint);
}

async function withNothing(ask: ModelAsk): Promise<ResolvedModel | UnresolvedModel> {
  const hosted = chosenHosted(ask.env);
  const addressed = hosted.find((each) => !each.usual);
  if (addressed) return withVendor(addressed.vendor, undefined, ask);
  const near = await Promise.all(chosenLocal(ask.env).map((endpoint) => lookAt(endpoint, ask.clock, true)));
  const answering = near.find((report) => report.reachable && report.models.length > 0);
  if (answering) return fromReport(answering, undefined, ask);
  const [withKey] = hosted;
  if (withKey) return warned(await withVendor(withKey.vendor, undefined, ask), near);
  const reports = await lookAtLocal(ask);
  const ready = reports.find((report) => report.reachable && report.models.length > 0);
  if (ready) return fromReport(ready, undefined, ask);
  const running = reports.find((report) => report.reachable);
  return running ? fromReport(running, undefined, ask) : nothingReady();
}

/** Local servers whose address a person set: a stronger wish than a key, for what is said then stays near. */
function chosenLocal(env: Env): Endpoint[] {
  return vendors
    .filter((vendor) => vendor.local && given(env, vendor.baseUrlEnv) !== undefined)
    .flatMap((vendor) => {
      const located = endpointOf(vendor, env);
      return located.ok ? [located.endpoint] : [];
    });
}

/** A local server was meant and does not answer: that somebody else does must not go unsaid. */
function warned(choice: ResolvedModel | UnresolvedModel, near: ServerReport[]): ResolvedModel | UnresolvedModel {
  if ("problem" in choice || near.length === 0) return choice;
  const silent = near.map((each) => (each.reachable ? `${each.endpoint.vendor.name} has no model.` : each.problem));
  const warning = [...silent, `Using ${choice.vendor.name} instead.`, choice.warning].filter(Boolean).join(" ");
  return { ...choice, warning };
}

/** Hosted vendors that a person set up; those with an address of their own first, for that is the stronger wish. */
function chosenHosted(env: Env): Endpoint[] {
  const endpoints = vendors
    .filter((vendor) => !vendor.local)
    .flatMap((vendor) => {
      const located = endpointOf(vendor, env);
      return located.ok && hasAccess(located.endpoint) ? [located.endpoint] : [];
    });
  return [...endpoints.filter((each) => !each.usual), ...endpoints.filter((each) => each.usual)];
}

/** All at the same time, in the order of the table. */
export function lookAtLocal({ env, clock }: { env: Env; clock: Clock }): Promise<ServerReport[]> {
  const endpoints = vendors
    .filter((vendor) => vendor.local)
    .flatMap((vendor) => {
      const located = endpointOf(vendor, env);
      return located.ok ? [located.endpoint] : [];
    });
  return Promise.all(endpoints.map((endpoint) => lookAt(endpoint, clock)));
}

async function choose(
  endpoint: Endpoint,
  model: string,
  ask: ModelAsk,
  report?: ServerReport,
  warning?: string,
): Promise<ResolvedModel> {
  const { id, name, local } = endpoint.vendor;
  const window = await windowOf({ endpoint, model, limit: ask.contextLimit, report, clock: ask.clock });
  return {
    provider: providerAt(endpoint, { clock: ask.clock, random: ask.random ?? Math.random }),
    model,
    window,
    ...(ask.effort && { effort: ask.effort }),
    vendor: { id, name, local, address: endpoint.shown },
    ...(warning && { warning }),
  };
}

function unclear(model: string, endpoints: Endpoint[], why: string): UnresolvedModel {
  const ids = endpoints.map((each) => each.vendor.id);
  const example = `${ids[0]}/${model}`;
  return unresolved(
    `It is not clear who answers as ${JSON.stringify(model)}: ${ids.join(" and ")} ${why}. ` +
      `Set the provider too, or write ${JSON.stringify(example)}.`,
  );
}

function nothingReady(): UnresolvedModel {
  return unresolved("No model is set up: there is no key, no address, and no local server that answers.");
}

function unresolved(problem: string): UnresolvedModel {
  return { problem, advice: modelAdvice() };
}
