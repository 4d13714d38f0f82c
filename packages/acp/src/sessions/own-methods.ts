import { RequestError } from "@agentclientprotocol/sdk/unstable";
import type { HarnessClient } from "@harness/client";
import { type ServerMethods, serverMethods } from "@harness/protocol";

type OwnCall = { method: string; params: unknown; signal: AbortSignal };

/** The connection has its own beginning and end. */
const withheld: readonly string[] = ["initialize", "shutdown"];

/** Methods of the server's own protocol, for what the Agent Client Protocol has no method for. */
export class MethodTable {
  readonly #client: HarnessClient;

  constructor(client: HarnessClient) {
    this.#client = client;
  }

  /** The server checks the parameters, as it does for every client. */
  async call({ method, params, signal }: OwnCall): Promise<unknown> {
    if (!isServerMethod(method) || withheld.includes(method)) throw RequestError.methodNotFound(method);
    return await this.#client.call(method, (params ?? {}) as never, { signal });
  }
}

function isServerMethod(method: string): method is keyof ServerMethods & string {
  return Object.hasOwn(serverMethods, method);
}
