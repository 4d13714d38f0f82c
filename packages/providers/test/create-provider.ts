import type { Clock, Provider } from "@harness/core";
import { endpointProvider } from "../src/choice/endpoint-provider.ts";
import { type EndpointOptions, locate } from "../src/vendors/locate.ts";
import type { Endpoint } from "../src/wires/endpoint/endpoint.ts";
import type { Env } from "../src/wires/endpoint/environment.ts";
import type { Vendor } from "../src/wires/endpoint/vendor.ts";
import { withRetry } from "../src/wires/retry/retry.ts";
import type { Ports } from "../src/wires/wire-api.ts";

/** `retryClock`: for the waits between attempts, if another clock measures the silence of the server. */
type Options = Ports & { env?: Env; retryClock?: Clock };
type ProviderOptions = EndpointOptions & Options;

/** Throws a `RangeError` with a sentence for people if the address is invalid. */
export function createProvider(vendor: Vendor, options: ProviderOptions): Provider {
  const located = locate(vendor, options);
  if (!located.ok) throw new RangeError(located.problem);
  return providerAt(located.endpoint, options);
}

export function providerAt(endpoint: Endpoint, options: Options): Provider {
  const provider = endpointProvider(endpoint, options, options.env ?? {});
  return withRetry(provider, { ...options, clock: options.retryClock ?? options.clock }, endpoint.limits);
}
