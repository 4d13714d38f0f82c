import type { Provider } from "@harness/core";
import { type EndpointOptions, locate } from "../vendors/locate.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import type { Env } from "../wires/endpoint/environment.ts";
import type { Vendor } from "../wires/endpoint/vendor.ts";
import { withRetry } from "../wires/retry/retry.ts";
import { speak } from "../wires/speak.ts";
import type { Ports, WireProvider } from "../wires/wire-api.ts";
import { wireOf } from "../wires/wires.ts";

export type ProviderOptions = EndpointOptions & Ports & { env?: Env };

/** Throws a `RangeError` with a sentence for people when the address is none. */
export function createProvider(vendor: Vendor, options: ProviderOptions): Provider {
  const located = locate(vendor, options);
  if (!located.ok) throw new RangeError(located.problem);
  return providerAt(located.endpoint, options);
}

export function providerAt(endpoint: Endpoint, options: Ports & { env?: Env }): Provider {
  return withRetry(wireProviderAt(endpoint, options, options.env ?? {}), options);
}

/** One request, one reply, no second try; `env` is what a program in place of a server is given from. */
export function wireProviderAt(endpoint: Endpoint, ports: Ports, env: Env): WireProvider {
  let loaded: Promise<WireProvider> | undefined;
  return {
    id: endpoint.vendor.id,
    async *stream(request, signal) {
      loaded ??= loadProvider(endpoint, ports, env);
      const provider = await loaded;
      yield* provider.stream(request, signal);
    },
  };
}

async function loadProvider(endpoint: Endpoint, ports: Ports, env: Env): Promise<WireProvider> {
  if (endpoint.vendor.program === undefined) return speak(await wireOf(endpoint.api), endpoint, ports);
  return (await import("../programs/program-provider.ts")).programProvider(endpoint, env, ports);
}
