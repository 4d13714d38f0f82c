import { resolve } from "node:path";
import { programEnvironment } from "@harness/host";
import type { Transport } from "@modelcontextprotocol/client";
import type { ServerAuth } from "../auth/server-auth.ts";
import type { McpServerConfig } from "../config/server-config.ts";
import type { ServerLog } from "../connection/server-log.ts";
import type { McpPorts } from "../ports/pool-ports.ts";
import type { Sdk } from "../ports/sdk.ts";
import { limitedFetch } from "../transports/limited-fetch.ts";
import { ProcessTransport } from "../transports/process-transport.ts";

type TransportDeps = {
  sdk: Sdk;
  ports: Pick<McpPorts, "fetch" | "place">;
  log: ServerLog;
  auth: ServerAuth | undefined;
};

/** The transport to a server whose variables are expanded. */
export function serverTransport(
  config: McpServerConfig,
  kind: "stdio" | "http" | "sse",
  deps: TransportDeps,
): Transport {
  const { sdk, ports, log, auth } = deps;
  if (kind === "stdio") {
    const { cwd, env, marked } = ports.place;
    const start = {
      command: config.command ?? "",
      args: config.args ?? [],
      cwd: resolve(cwd, config.cwd ?? "."),
      env: programEnvironment(env, [], config.env ?? {}),
    };
    return new ProcessTransport(marked?.(start) ?? start, { onText: (text) => log.text(text) });
  }
  const options = {
    fetch: limitedFetch(ports.fetch),
    requestInit: { headers: { ...config.headers } },
    ...(auth && { authProvider: auth }),
  };
  const url = new URL(config.url ?? "");
  return kind === "http"
    ? new sdk.StreamableHTTPClientTransport(url, { ...options, onInsufficientScope: "throw" })
    : new sdk.SSEClientTransport(url, options);
}
