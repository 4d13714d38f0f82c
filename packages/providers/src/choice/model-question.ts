import type { Clock, Egress, ModelChoice } from "@harness/core";
import type { CapabilityRecord, ModelAbilities } from "@harness/protocol";
import { builtInTable, type ModelTable } from "../models/model-table.ts";
import type { EndpointResult, Logins } from "../vendors/locate.ts";
import { endpointOf, hasAccess } from "../vendors/locate.ts";
import { grantCommand, missingSecrets } from "../vendors/secret-access.ts";
import { builtInVendors, type VendorRegistry } from "../vendors/vendor-registry.ts";
import type { Endpoint, ReasoningSummary, RequestLimits } from "../wires/endpoint/endpoint.ts";
import { type Env, envValue } from "../wires/endpoint/environment.ts";
import type { Vendor } from "../wires/endpoint/vendor.ts";
import type { WireProvider } from "../wires/wire-api.ts";
import type { ProviderMemory } from "./provider-memory.ts";

/** Everything that vendors and models are looked up in. Absent fields mean the built-in rows, or nothing. */
export type Sources = {
  /** The environment with the `.env` files. Stored credentials come from `logins`. */
  env: Env;
  clock: Clock;
  memory: ProviderMemory;
  /** Checks every outgoing request; absent: all are allowed. */
  egress?: Egress | undefined;
  registry?: VendorRegistry | undefined;
  table?: ModelTable | undefined;
  logins?: Logins | undefined;
  /** Capabilities as found by `harness doctor`, by provider, model and address. */
  capabilities?: ((provider: string, model: string, address: string) => CapabilityRecord | undefined) | undefined;
} & RequestSettings;

/** Settings that accompany the endpoint to each request. */
export type RequestSettings = {
  /** How long a server keeps an idle model in memory. */
  keepAlive?: string | undefined;
  reasoningSummary?: ReasoningSummary | undefined;
  /** Whether replies are streamed. */
  streams?: boolean | undefined;
  /** The user's limits for requests to a vendor, read when a request begins. */
  limits?: ((vendorId: string) => RequestLimits) | undefined;
};

/** Empty texts count as not given. */
export type ModelQuestion = Sources & {
  provider?: string | undefined;
  model?: string | undefined;
  /** True if the model was named for this very session, by a flag or a command: no other model may replace it. */
  exact?: boolean;
  /** True if the provider is the default for all sessions, while the model was named for this one. */
  usualProvider?: boolean;
  /** The settings files that provider and model come from; absent: they were given for this session. */
  from?: { provider?: string; model?: string };
  contextLimit?: number | null | undefined;
  maxOutputTokens?: number | null | undefined;
  effort?: string | undefined;
  /** Jitter of retries, from 0 up to 1. */
  random?: () => number;
};

export type ResolvedModel = ModelChoice & {
  /** `place`: where its models are, in words: "from OpenAI", "at 127.0.0.1:8080". */
  vendor: { id: string; name: string; local: boolean; address: string; place?: string };
  /** The provider without repairs of replies, to find out what the model itself does. */
  plain: WireProvider;
  /** The model's abilities according to its server or the table. */
  abilities?: ModelAbilities;
  /** Present if the choice is not quite what was asked for. */
  warning?: string;
};

/** `advice`: a few lines on how to get a model; empty if the problem is a different one. */
export type UnresolvedModel = {
  problem: string;
  advice: string[];
  /** Present if the intended server lacks the model but downloads models. */
  missing?: { provider: string; model: string };
  /** Further possible causes, as sentences: unusable keys, servers that do not answer. */
  causes?: readonly string[];
  /** True if the name includes the provider, which cannot be used: no other provider's model is meant. */
  ofNamedProvider?: true;
};

export function sourceRegistry({ registry }: Sources): VendorRegistry {
  return registry ?? builtInVendors;
}

export function tableOf({ table }: Sources): ModelTable {
  return table ?? builtInTable;
}

/** The vendor's endpoint with its credentials. */
export function vendorEndpoint(vendor: Vendor, sources: Sources): EndpointResult {
  const { env, logins, keepAlive, reasoningSummary, streams, limits, egress, memory } = sources;
  // A program decides itself how it runs.
  const isWhole = vendor.program === undefined && (streams === false || vendor.streams === false);
  const located = endpointOf(vendor, env, logins);
  if (!located.ok) return located;
  const endpoint: Endpoint = {
    ...located.endpoint,
    connections: memory.connections,
    ...(keepAlive && { keepAlive }),
    ...(reasoningSummary && { reasoningSummary }),
    ...(isWhole && { streams: false }),
    ...(limits && { limits: () => limits(vendor.id) }),
    ...(egress && { egress }),
  };
  return { ok: true, endpoint };
}

/**
 * Why the local-only mode blocks a vendor, as a sentence. Remote vendors at their own address are not looked up,
 * because a name server would learn of it.
 */
export async function localOnlyProblem({ vendor, near, usual, shown, baseUrl }: Endpoint, { egress }: Sources) {
  if (!egress?.localOnly || near) return undefined;
  const { name, program } = vendor;
  if (program !== undefined) {
    return `Not in local-only mode: ${name} is a program, and harness cannot control what it sends.`;
  }
  const isFar = (usual && !vendor.local) || (await egress.barrier(baseUrl)) !== undefined;
  return isFar
    ? `Not in local-only mode: ${name} at ${shown} is not on this machine or in a private network.`
    : undefined;
}

/** The endpoints of all vendors with a readable address. */
export function placesOf(vendors: readonly Vendor[], sources: Sources): Endpoint[] {
  return vendors.flatMap((vendor) => {
    const located = vendorEndpoint(vendor, sources);
    return located.ok ? [located.endpoint] : [];
  });
}

/** The credentials that the vendor still needs, in sentences. */
export function accessProblem(vendor: Vendor, env: Env): string {
  const { name, id, keyEnv, login } = vendor;
  const grant = grantCommand(vendor, env);
  if (grant !== undefined && envValue(env, keyEnv) !== undefined)
    return `${name} needs an API key. ${missingSecrets(vendor, env)}`;
  if (login) return `${name} needs a login: run \`harness auth login ${id}\`, or set ${keyEnv} to a token.`;
  const needed = `${name} needs an API key. Set ${keyEnv} in the environment or in a .env file, or run \`harness auth set ${id}\`.`;
  return grant === undefined
    ? needed
    : `${needed} A project's provider gets a variable only once you grant it: ${grant}`;
}

/** The file that a name comes from, as a note after it. */
export function sourceNote(path: string | undefined): string {
  return path === undefined ? "" : ` (from ${path})`;
}

/** A sentence, with the reason if the user's own file of that name is to blame. */
export function noProvider(name: string, { all, problems }: VendorRegistry, from?: string): string {
  const why = problems.filter((problem) => {
    const at = problem.indexOf(`/${name}`);
    return at >= 0 && /^(\.[a-z]+)?[ :,]/.test(problem.slice(at + name.length + 1));
  });
  const first = `There is no provider ${JSON.stringify(name)}${sourceNote(from)}.`;
  if (why.length > 0) return [first, ...why].join(" ");
  return `${first} There are: ${all.map(({ id }) => id).join(", ")}.`;
}

/** `role`: such as "embedder", which is also the name of its setting. */
type NamedModel = {
  /** PROVIDER/MODEL, or a provider. */
  name: string;
  role: string;
  /** The models of vendors that are named without one. */
  usual?: Readonly<Record<string, string>>;
  /** Why the endpoint has no such models, as a sentence. */
  refusal(endpoint: Endpoint): string | undefined;
  /** The problem of a name that is no provider. */
  unknown: string;
};

type FoundModel = { ok: true; vendor: Vendor; endpoint: Endpoint; model: string } | { ok: false; problem: string };

/** The endpoint that a name means, if it may be reached and has what it needs. Sends nothing. */
export async function namedEndpoint(named: NamedModel, sources: Sources): Promise<FoundModel> {
  const { name, role, usual = {}, refusal, unknown } = named;
  const slash = name.indexOf("/");
  const vendorId = slash < 0 ? name : name.slice(0, slash);
  const registry = sourceRegistry(sources);
  const vendor = registry.of(vendorId);
  if (!vendor) return { ok: false, problem: slash < 0 ? unknown : noProvider(vendorId, registry) };
  const model = slash < 0 ? usual[vendor.id] : name.slice(slash + 1).replace(/:latest$/, "");
  if (!model) {
    const kind = role === "embedder" ? "an embedding model" : "a reranking model";
    return { ok: false, problem: `${vendor.name} needs the name of ${kind}: ${vendor.id}/MODEL.` };
  }
  const located = vendorEndpoint(vendor, sources);
  if (!located.ok) return located;
  const { endpoint } = located;
  const refused = refusal(endpoint);
  if (refused !== undefined) return { ok: false, problem: refused };
  const barrier = await localOnlyProblem(endpoint, sources);
  if (barrier !== undefined) {
    const way = `Choose ${role === "embedder" ? "an" : "a"} ${role} on this machine, or turn \`local_only\` off.`;
    return { ok: false, problem: `${barrier} ${way}` };
  }
  if (!hasAccess(endpoint)) return { ok: false, problem: accessProblem(vendor, sources.env) };
  return { ok: true, vendor, endpoint, model };
}
