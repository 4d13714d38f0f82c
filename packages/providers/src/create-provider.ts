import type { Provider } from "@harness/core";
import { type Endpoint, type EndpointOptions, locate } from "./endpoint.ts";
import { withRetry } from "./retry.ts";
import type { Vendor, WireName } from "./vendors.ts";
import { type Ports, speak, type WireApi, type WireProvider } from "./wire.ts";

/** One row a wire API; none is loaded before it is used. */
const wires: Readonly<Record<WireName, () => Promise<WireApi>>> = {
  "openai-chat": async () => (await import("./openai-chat.ts")).openAiChat,
  ollama: async () => (await import("./ollama.ts")).ollamaChat,
};

export type ProviderOptions = EndpointOptions & Ports;

/** Throws a `RangeError` with a sentence for people when the address is none. */
export function createProvider(vendor: Vendor, options: ProviderOptions): Provider {
  const located = locate(vendor, options);
  if (!located.ok) throw new RangeError(located.problem);
  return providerAt(located.endpoint, options);
}

export function providerAt(endpoint: Endpoint, ports: Ports): Provider {
  let loaded: Promise<WireProvider> | undefined;
  const inner: WireProvider = {
    id: endpoint.vendor.id,
    async *stream(request, signal) {
      loaded ??= wires[endpoint.vendor.api]().then((api) => speak(api, endpoint, ports));
      const provider = await loaded;
      yield* provider.stream(request, signal);
    },
  };
  return withRetry(inner, ports);
}
