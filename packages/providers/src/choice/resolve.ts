import { catalogues } from "../catalogues/catalogues.ts";
import { isSameModel, type ServerReport } from "../catalogues/discovery.ts";
import { hasAccess } from "../vendors/locate.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import { envValue } from "../wires/endpoint/environment.ts";
import type { Vendor } from "../wires/endpoint/vendor.ts";
import { modelAdvice } from "./advice.ts";
import { closestFirst } from "./assemble-provider.ts";
import { chooseModel } from "./choose-model.ts";
import { asksServer } from "./context-windows.ts";
import { isGone, listedUnder, meantAt } from "./model-names.ts";
import {
  accessProblem,
  localOnlyProblem,
  type ModelQuestion,
  noProvider,
  type ResolvedModel,
  sourceNote,
  sourceRegistry,
  tableOf,
  type UnresolvedModel,
  vendorEndpoint,
} from "./model-question.ts";
import { addressedLocal, askLocalServers, missingKeys, usableHosted } from "./usable-endpoints.ts";

type Resolution = ResolvedModel | UnresolvedModel;

const HOW_TO_LIFT = "Choose a local model, or turn `local_only` off (Settings, HARNESS_LOCAL_ONLY, --local-only).";

/**
 * Chooses a vendor and a model. Never throws.
 *
 * 1. Provider and model are given: both are used; a short name such as `sonnet` stands for the vendor's model.
 * 2. Only a provider: its default model, else the first that its server lists, preferring one in memory.
 * 3. Only a model: `vendor/model` names a usable vendor, or is an id with a slash. Otherwise the vendor must be unambiguous:
 *    the only one with a key, a login or an address; of several the model's maker; else the only local server that has it.
 * 4. Nothing: a hosted vendor with an address from a variable; a local server with a configured address that answers; a vendor
 *    with a key or a login, in the order of the table; a local server that answers and has a model. Keys go before servers
 *    that were not configured, because a key is put there on purpose and needs no request to be chosen.
 *
 * Hosted vendors are not asked when provider and model are known; near servers are asked for their context window.
 */
export async function resolveModel(ask: ModelQuestion): Promise<Resolution> {
  const registry = sourceRegistry(ask);
  if (ask.provider) {
    const vendor = registry.of(ask.provider);
    const other = vendor && (await namedInstead(vendor, ask));
    if (other) return withVendor(other.vendor, other.model, ask);
    if (vendor) return withVendor(vendor, ask.model || undefined, ask);
    return unresolved(noProvider(ask.provider, registry, ask.from?.provider));
  }
  const broken = brokenAddress(ask);
  if (broken !== undefined) return unresolved(broken);
  return ask.model ? withModel(ask.model, ask) : withNothing(ask);
}

/**
 * The vendor at the beginning of a model's name, if the provider is only the default: `ollama/x` is not a model of LM
 * Studio, unless LM Studio lists it under exactly this name.
 */
async function namedInstead(usual: Vendor, ask: ModelQuestion): Promise<{ vendor: Vendor; model: string } | undefined> {
  const { model: name = "", usualProvider, memory } = ask;
  const slash = name.indexOf("/");
  const vendor = usualProvider && slash > 0 ? sourceRegistry(ask).of(name.slice(0, slash)) : undefined;
  const model = name.slice(slash + 1);
  if (!vendor || vendor.id === usual.id || model === "" || !isVendorPrefix(vendor, model, ask)) return undefined;
  // Its own models have such names.
  if (usual.makersInIds && !vendor.local) return undefined;
  const located = vendorEndpoint(usual, ask);
  if (!located.ok || usual.catalogue === "none") return { vendor, model };
  const { endpoint } = located;
  const report = hasAccess(endpoint) ? await memory.lists.reportOfChosen(endpoint) : undefined;
  const isItsOwn = report?.reachable && listedUnder(report.models, name) !== undefined;
  return isItsOwn ? undefined : { vendor, model };
}

/** A configured address that cannot be parsed must not lead to a different provider. */
function brokenAddress(ask: ModelQuestion): string | undefined {
  for (const vendor of sourceRegistry(ask).all) {
    const located = envValue(ask.env, vendor.baseUrlEnv) === undefined ? undefined : vendorEndpoint(vendor, ask);
    if (located && !located.ok) return located.problem;
  }
  return undefined;
}

async function withVendor(vendor: Vendor, named: string | undefined, ask: ModelQuestion): Promise<Resolution> {
  const located = vendorEndpoint(vendor, ask);
  if (!located.ok) return unresolved(located.problem);
  const { endpoint } = located;
  const barrier = await localOnlyProblem(endpoint, ask);
  if (barrier !== undefined) return unresolved(`${barrier} ${HOW_TO_LIFT}`);
  if (!hasAccess(endpoint)) return lacksAccess(vendor, ask);
  if (vendor.program !== undefined) {
    const { isReady } = await import("../programs/ask-program.ts");
    const ready = await isReady(vendor, ask.env, ask.clock);
    if (!ready.ok) return unresolved(`${vendor.name} is not ready: ${ready.problem}`);
  }
  if (asksServer(endpoint)) {
    return fromReport(await ask.memory.lists.reportOfChosen(endpoint), named ?? ownModel(vendor), ask);
  }
  const model = named === undefined ? usualModel(endpoint) : await meantAt(endpoint, named, ask);
  if (model === undefined) return fromReport(await ask.memory.lists.reportOfChosen(endpoint), undefined, ask);
  const atHand = named === undefined ? undefined : ask.memory.lists.atHand(endpoint);
  return atHand && isGone(atHand, model, tableOf(ask))
    ? fromReport(atHand, model, ask)
    : chooseModel({ endpoint, model }, ask);
}

/** The model named in the user's own row for a local server. */
function ownModel({ file, defaultModel }: Vendor): string | undefined {
  return file === undefined ? undefined : defaultModel;
}

function lacksAccess(vendor: Vendor, { env, from, provider }: ModelQuestion): UnresolvedModel {
  const why =
    from?.provider !== undefined && provider ? ` ${provider} is set as the provider in ${from.provider}.` : "";
  return unresolved(`${accessProblem(vendor, env)}${why}`);
}

function usualModel({ usual, vendor }: Endpoint): string | undefined {
  return usual ? vendor.defaultModel : undefined;
}

/** A model that the server certainly refuses is replaced by the first one it has, with a warning. */
function fromReport(
  report: ServerReport,
  model: string | undefined,
  ask: ModelQuestion,
): Promise<ResolvedModel> | UnresolvedModel {
  const { endpoint } = report;
  const { vendor } = endpoint;
  if (!report.reachable) {
    // The request itself will report the problem if it persists.
    if (model === undefined) return unresolved(report.problem);
    return chooseModel({ endpoint, model, ...(report.isAway && { away: report.problem }) }, ask);
  }
  const first = (report.models.find((each) => each.loaded) ?? report.models[0])?.id;
  if (model === undefined) {
    if (first !== undefined) return chooseModel({ endpoint, model: first, report }, ask);
    return unresolved(`${vendor.name} at ${endpoint.shown} has no model. ${vendor.models}`);
  }
  const listed = listedUnder(report.models, model);
  if (listed !== undefined) return chooseModel({ endpoint, model: listed, report }, ask);
  const isBinding = !asksServer(endpoint) || catalogues[vendor.catalogue].namesAreBinding === true;
  const pulls = catalogues[vendor.catalogue].pull !== undefined;
  const isMissing = ask.exact && (first !== undefined || pulls);
  if (!isBinding || (first === undefined && !isMissing)) return chooseModel({ endpoint, model, report }, ask);
  const missing = `${vendor.name} at ${endpoint.shown} has no model ${JSON.stringify(model)}${sourceNote(ask.from?.model)}`;
  const way = pulls && !ask.egress?.localOnly ? `\`harness model pull ${model}\` downloads it.` : vendor.models;
  if (isMissing || first === undefined) {
    const ids = report.models.map(({ id }) => id);
    const some = closestFirst(ids, model).slice(0, 5);
    const has = some.length > 0 ? ` It has: ${some.join(", ")}.` : "";
    const answer = unresolved(`${missing}.${has} ${way}`);
    return pulls ? { ...answer, missing: { provider: vendor.id, model } } : answer;
  }
  const warning = `${missing}: using ${first}. ${way}`;
  return chooseModel({ endpoint, model: first, report, warning }, ask);
}

async function withModel(model: string, ask: ModelQuestion): Promise<Resolution> {
  const slash = model.indexOf("/");
  const named = slash > 0 ? sourceRegistry(ask).of(model.slice(0, slash)) : undefined;
  const rest = model.slice(slash + 1);
  if (named && rest !== "" && isVendorPrefix(named, rest, ask)) return withVendor(named, rest, ask);
  const chosen = await usableHosted(ask);
  const maker = tableOf(ask).named(model)?.by ?? tableOf(ask).makerOf(model);
  const makers = chosen.filter(({ vendor }) => vendor.id === maker);
  const resellers = chosen.filter(({ vendor }) => vendor.maker === maker);
  const only = [makers, resellers, chosen].find((each) => each.length === 1)?.[0];
  if (only && named && rest !== "" && (await hasOthersOnly(only, model, ask)))
    return { ...lacksAccess(named, ask), ofNamedProvider: true };
  if (only) return withVendor(only.vendor, model, ask);
  if (chosen.length > 1) return unclear(model, chosen, "can be used");
  const namedVendor = named && rest !== "" ? named : sourceRegistry(ask).of(tableOf(ask).named(model)?.by ?? "");
  return withLocal(model, ask, namedVendor);
}

/** True if a vendor lists its models without this one. A gateway may well have models of other makers. */
async function hasOthersOnly(endpoint: Endpoint, model: string, { memory }: ModelQuestion): Promise<boolean> {
  if (endpoint.vendor.catalogue === "none") return false;
  const report = await memory.lists.reportOfChosen(endpoint);
  return report.reachable && report.models.length > 0 && listedUnder(report.models, model) === undefined;
}

/**
 * `namedVendor`: the vendor that the model's name points to. It is reported as missing if no local server has the model
 * and it cannot be used itself.
 */
async function withLocal(model: string, ask: ModelQuestion, namedVendor: Vendor | undefined): Promise<Resolution> {
  const reports = (await Promise.all(askLocalServers(ask))).filter((report) => report.reachable);
  const having = reports.filter((report) => report.models.some((each) => isSameModel(each.id, model)));
  const similar = reports.filter((report) => listedUnder(report.models, model) !== undefined);
  const candidates = [having, similar, reports].find((each) => each.length > 0) ?? [];
  const [report] = candidates;
  if (namedVendor && (!report || candidates === reports)) {
    const located = vendorEndpoint(namedVendor, ask);
    const barrier = located.ok ? await localOnlyProblem(located.endpoint, ask) : undefined;
    if (barrier !== undefined) return unresolved(`${barrier} ${HOW_TO_LIFT}`);
    if (!located.ok || !hasAccess(located.endpoint)) {
      if (!located.ok) return unresolved(located.problem);
      const why = ask.from?.model === undefined ? "" : ` ${model} is set as the model in ${ask.from.model}.`;
      return unresolved(`${accessProblem(namedVendor, ask.env)}${why}`);
    }
  }
  if (!report) return nothingReady(ask);
  if (candidates.length === 1) return fromReport(report, model, ask);
  const endpoints = candidates.map((each) => each.endpoint);
  return unclear(model, endpoints, candidates === reports ? "are running, but none of them has it" : "have it");
}

function isVendorPrefix(vendor: Vendor, rest: string, ask: ModelQuestion): boolean {
  if (vendor.makersInIds && !rest.includes("/")) return false;
  const located = vendorEndpoint(vendor, ask);
  return located.ok && hasAccess(located.endpoint);
}

async function withNothing(ask: ModelQuestion): Promise<Resolution> {
  const hosted = await usableHosted(ask);
  const addressed = hosted.find((each) => !each.usual);
  if (addressed) return withVendor(addressed.vendor, undefined, ask);
  const near = await Promise.all(addressedLocal(ask).map((endpoint) => ask.memory.lists.reportOfChosen(endpoint)));
  const answering = near.find((report) => report.reachable && report.models.length > 0);
  if (answering) return fromReport(answering, ownModel(answering.endpoint.vendor), ask);
  const [withKey] = hosted;
  if (withKey) return warned(await withVendor(withKey.vendor, undefined, ask), near);
  const asking = askLocalServers(ask, near);
  // A server further down the table is not awaited if one above it is ready.
  for (const each of asking) {
    const report = await each;
    if (report.reachable && report.models.length > 0) return fromReport(report, ownModel(report.endpoint.vendor), ask);
  }
  const reports = await Promise.all(asking);
  const running = reports.find((report) => report.reachable);
  if (!running) {
    const silent = reports.flatMap((each) => (each.reachable || !each.isSilent ? [] : [each.problem]));
    const causes = [...silent, ...missingKeys(ask)];
    return { ...nothingReady(ask), ...(causes.length > 0 && { causes }) };
  }
  const answer = await fromReport(running, undefined, ask);
  // There is only a server without models, so the answer is how to get one.
  return "problem" in answer ? { ...answer, advice: modelAdvice() } : answer;
}

/** If a configured local server does not answer, the use of another provider must be reported. */
function warned(choice: Resolution, near: ServerReport[]): Resolution {
  if ("problem" in choice || near.length === 0) return choice;
  const silent = near.map((each) => (each.reachable ? `${each.endpoint.vendor.name} has no model.` : each.problem));
  const warning = [...silent, `Using ${choice.vendor.name} instead.`, choice.warning].filter(Boolean).join(" ");
  choice.warning = warning;
  return choice;
}

function unclear(model: string, endpoints: Endpoint[], why: string): UnresolvedModel {
  const ids = endpoints.map((each) => each.vendor.id);
  const example = `${ids[0]}/${model}`;
  return unresolved(
    `It is not clear which provider to use for ${JSON.stringify(model)}: ${ids.join(" and ")} ${why}. ` +
      `Set the provider too, or write ${JSON.stringify(example)}.`,
  );
}

function nothingReady({ egress }: ModelQuestion): UnresolvedModel {
  const advice = modelAdvice(egress?.localOnly);
  return { problem: advice[0] ?? "", advice };
}

/** The problem explains what is wrong with the request; general advice on getting a model would not help. */
function unresolved(problem: string): UnresolvedModel {
  return { problem, advice: [] };
}
