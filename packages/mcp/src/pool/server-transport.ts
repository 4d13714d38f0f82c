import { resolve } from "node:path";
import { programEnvironment } from "@harness/host";
import type { Transport } from "@modelcontextprotocol/client";
import type { McpServerConfig } from "../config/server-config.ts";
import type { Sdk } from "../connection/sdk.ts";
import type { ServerLog } from "../connection/server-log.ts";
import { limitedFetch } from "../transports/limited-fetch.ts";
import { ProcessTransport } from "../transports/process-transport.ts";
import type { McpPorts } from "./pool-ports.ts";

type Parts = { sdk: Sdk; ports: Pick<McpPorts, "fetch" | "place">; log: ServerLog };

/** The way to a server whose variables are expanded. */
export function serverTransport(config: McpServerConfig, kind: "stdio" | "http" | "sse", parts: Parts): Transport {
  const { sdk, ports, log } = parts;
  if (kind === "stdio") {
    const { cwd, env } = ports.place;
    const start = {
      command: config.command ?? "",
      args: config.args ?? [],
      cwd: resolve(cwd, config.cwd ?? "."),
      env: programEnvironment(env, [], config.env ?? {}),
    };
    return new ProcessTransport(start, { onText: (text) => log.text(text) });
  }
  const options = { fetch: limitedFetch(ports.fetch), requestInit: { headers: { ...config.headers } } };
  const url = new URL(config.url ?? "");
  return kind === "http"
    ? new sdk.StreamableHTTPClientTransport(url, options)
    : new sdk.SSEClientTransport(url, options);
}
