import type { McpServerConfig } from "../packages/mcp/src/index.ts";
import { loadSdk } from "../packages/mcp/src/ports/sdk.ts";
import { fixture, testPool } from "../packages/mcp/test/pool.ts";
import { type HttpProcess, startHttpProcess } from "../packages/mcp/test/servers/http-process.ts";
import { referenceServers } from "../packages/mcp/test/servers/reference-servers.ts";
import { nodeClock } from "../packages/workspace/src/system/node-clock.ts";
import type { Figure } from "./figures.ts";

/** A server whose era is probed, and a server with a known one. */
type Server = { name: string; config: McpServerConfig };

/**
 * From the request for a server to its tools: including its process, if it has one, and in the state of each later
 * start.
 */
export async function mcpFigures(times: number): Promise<Figure[]> {
  const http: HttpProcess[] = [];
  const serve = async (args: (port: number) => string[]) => {
    const server = await startHttpProcess(args, "/mcp");
    http.push(server);
    return { name: "server", from: "bench", url: server.url };
  };
  try {
    const modern = fixture("modern-server.ts");
    const servers: Server[] = [
      { name: "stdio, legacy, a server without an SDK", config: fixture("plain-server.ts") },
      { name: "stdio, modern", config: modern },
      {
        name: "HTTP, legacy (server-everything)",
        config: await serve(() => [referenceServers.everything, "streamableHttp"]),
      },
      { name: "HTTP, modern", config: await serve((port) => [...(modern.args ?? []), String(port)]) },
    ];
    // The client itself is loaded once per process.
    const figures: Figure[] = [{ name: "MCP: loading the client", unit: "ms", runs: [await loadMs()] }];
    for (const { name, config } of servers) figures.push(...(await connectFigures(name, config, times)));
    return figures;
  } finally {
    await Promise.all(http.map((server) => server.close()));
  }
}

async function loadMs(): Promise<number> {
  const start = performance.now();
  await loadSdk();
  return performance.now() - start;
}

async function connectFigures(name: string, config: McpServerConfig, times: number): Promise<Figure[]> {
  const [asked, known]: [number[], number[]] = [[], []];
  for (let run = 0; run < times; run += 1) {
    const kept = new Map<string, unknown>();
    asked.push(await connectMs(config, kept));
    known.push(await connectMs(config, kept));
  }
  return [
    { name: `MCP: connect, ${name}: era asked for`, unit: "ms", runs: asked },
    { name: "– era known", unit: "ms", runs: known },
  ];
}

async function connectMs(config: McpServerConfig, kept: Map<string, unknown>): Promise<number> {
  const servers = {
    read: (key: string) => kept.get(key),
    write: (key: string, value: unknown) => void kept.set(key, value),
  };
  const logins = {
    read: () => undefined,
    write: () => undefined,
    locked: <T>(_: string, task: () => Promise<T>) => task(),
  };
  const secrets = { add: () => undefined, hide: (text: string) => text };
  const { pool } = testPool({ clock: nodeClock, kept: { servers, logins, secrets } });
  try {
    pool.configure([config]);
    const start = performance.now();
    const view = await pool.start(config.name);
    const tookMs = performance.now() - start;
    if (view?.state !== "ready") throw new Error(view?.problem);
    return tookMs;
  } finally {
    await pool.close();
  }
}
