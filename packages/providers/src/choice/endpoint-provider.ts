import { createWireProvider } from "../wires/create-wire-provider.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import type { Env } from "../wires/endpoint/environment.ts";
import type { LearnedRefusals } from "../wires/request/learned-refusals.ts";
import type { Ports, WireProvider } from "../wires/wire-api.ts";
import { wireOf } from "../wires/wires.ts";

/** `learned`: the refusals of servers, if shared with other providers for this endpoint. */
type EndpointPorts = Ports & { learned?: LearnedRefusals };

/** A provider for one endpoint, without retry and queue. `env`: the environment of a program that replaces a server. */
export function endpointProvider(endpoint: Endpoint, ports: EndpointPorts, env: Env): WireProvider {
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

async function loadProvider(endpoint: Endpoint, ports: EndpointPorts, env: Env): Promise<WireProvider> {
  if (endpoint.vendor.program === undefined)
    return createWireProvider(await wireOf(endpoint.api), endpoint, ports, ports.learned);
  return (await import("../programs/executable-program.ts")).executableProgram(endpoint, env, ports, ports.learned);
}
