import type { Clock, Egress, ModelChoice } from "@harness/core";
import type { CapabilityCard, ModelAbilities } from "@harness/protocol";
import { builtInTable, type ModelTable } from "../models/model-table.ts";
import type { Located, Logins } from "../vendors/locate.ts";
import { endpointOf } from "../vendors/locate.ts";
import { builtInVendors, type VendorRegistry } from "../vendors/vendor-registry.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import type { Env } from "../wires/endpoint/environment.ts";
import type { Vendor } from "../wires/endpoint/vendor.ts";
import type { WireProvider } from "../wires/wire-api.ts";
import type { ProviderMemory } from "./provider-memory.ts";

/** What vendors and models are looked up in. Whatever is absent is what comes with harness, or nothing. */
export type Sources = {
  /** With the `.env` files. What harness keeps is not in it: `logins` hands that out. */
  env: Env;
  clock: Clock;
  memory: ProviderMemory;
  /** The door that every request goes through; absent: they may go anywhere. */
  egress?: Egress | undefined;
  registry?: VendorRegistry | undefined;
  table?: ModelTable | undefined;
  logins?: Logins | undefined;
  /** What `harness doctor` found, by provider, model and address. */
  cards?: ((provider: string, model: string, address: string) => CapabilityCard | undefined) | undefined;
  /** How long a server that unloads models keeps one. */
  keepAlive?: string | undefined;
};

/** Empty texts count as not given. */
export type ModelQuestion = Sources & {
  provider?: string | undefined;
  model?: string | undefined;
  /** The model was named for this very session, by a flag or a command: another one would be no answer. */
  exact?: boolean;
  /** The files of settings that provider and model were read from; absent: they were given for this session. */
  from?: { provider?: string; model?: string };
  contextLimit?: number | null | undefined;
  maxOutputTokens?: number | null | undefined;
  effort?: string | undefined;
  /** Jitter of retries, from 0 up to 1. */
  random?: () => number;
};

export type ResolvedModel = ModelChoice & {
  vendor: { id: string; name: string; local: boolean; address: string };
  /** The same without what mends replies: for finding out what the model itself does. */
  plain: WireProvider;
  /** What its server or the table says that it can do. */
  abilities?: ModelAbilities;
  /** The choice is not quite what was asked for. */
  warning?: string;
};

/** `advice` says in a few lines how to get a model; it is empty where the problem is another one. */
export type UnresolvedModel = {
  problem: string;
  advice: string[];
  /** What else may be the cause, as sentences: keys that cannot be used. */
  causes?: readonly string[];
};

export function registryOf({ registry }: Sources): VendorRegistry {
  return registry ?? builtInVendors;
}

export function tableOf({ table }: Sources): ModelTable {
  return table ?? builtInTable;
}

/** Where a vendor answers, and with what it lets us in. */
export function placeOf(vendor: Vendor, { env, logins, keepAlive, egress }: Sources): Located {
  const located = endpointOf(vendor, env, logins);
  if (!located.ok || (!keepAlive && !egress)) return located;
  return { ok: true, endpoint: { ...located.endpoint, ...(keepAlive && { keepAlive }), ...(egress && { egress }) } };
}

/**
 * Why the local-only mode keeps us from a vendor, as a sentence. Those at their own address far away are not looked up:
 * a name server would learn of it.
 */
export async function localOnlyProblem({ vendor, near, usual, shown, baseUrl }: Endpoint, { egress }: Sources) {
  if (!egress?.localOnly || near) return undefined;
  const { name, program } = vendor;
  if (program !== undefined) {
    return `Not in local-only mode: ${name} is a program, and harness cannot hold back what that sends.`;
  }
  const isFar = (usual && !vendor.local) || (await egress.barrier(baseUrl)) !== undefined;
  return isFar
    ? `Not in local-only mode: ${name} at ${shown} is not on this machine or in a private network.`
    : undefined;
}

/** Those that have an address that can be read. */
export function placesOf(vendors: readonly Vendor[], sources: Sources): Endpoint[] {
  return vendors.flatMap((vendor) => {
    const located = placeOf(vendor, sources);
    return located.ok ? [located.endpoint] : [];
  });
}

/** What a vendor still needs, as a sentence. */
export function accessProblem(vendor: Vendor): string {
  const { name, id, keyEnv, login } = vendor;
  if (login) return `${name} needs a login: run \`harness auth login ${id}\`, or put a token into ${keyEnv}.`;
  return `${name} needs an API key. Set ${keyEnv} in the environment or in a .env file, or run \`harness auth set ${id}\`.`;
}

/** Where a name was read from, as words behind it. */
export function sourceNote(path: string | undefined): string {
  return path === undefined ? "" : ` (from ${path})`;
}

/** As a sentence; where the person's own file of that name is to blame, it says why. */
export function noProvider(name: string, { all, problems }: VendorRegistry, from?: string): string {
  const why = problems.filter((problem) => {
    const at = problem.indexOf(`/${name}`);
    return at >= 0 && /^(\.[a-z]+)?[ :,]/.test(problem.slice(at + name.length + 1));
  });
  const first = `There is no provider ${JSON.stringify(name)}${sourceNote(from)}.`;
  if (why.length > 0) return [first, ...why].join(" ");
  return `${first} There are: ${all.map(({ id }) => id).join(", ")}.`;
}
