import { createHash } from "node:crypto";
import { expandConfig } from "../config/expand-variables.ts";
import type { McpServerConfig } from "../config/server-config.ts";
import { CallTimeout } from "../connection/call-watch.ts";
import type { Connection } from "../connection/connection.ts";
import { type KnownEra, openConnection } from "../connection/open-connection.ts";
import { RunningCalls } from "../connection/running-calls.ts";
import { loadSdk, type Sdk } from "../connection/sdk.ts";
import type { ServerLists } from "../connection/server-lists.ts";
import type { ServerLog } from "../connection/server-log.ts";
import type { McpPorts } from "./pool-ports.ts";
import { serverTransport } from "./server-transport.ts";

export const STARTUP_MS = 30_000;
const SILENT_MS = 5 * 60_000;
const TOTAL_MS = 60 * 60_000;

/** A server that cannot be started as things are; the message is a sentence for people. */
class StartProblem extends Error {}

export type StartedServer = { connection: Connection; lists: ServerLists };

type Start = {
  config: McpServerConfig;
  ports: McpPorts;
  log: ServerLog;
  onListChanged(): void;
};

/** Connects, and reads what the server has. Rejects with the SDK's error, `StartProblem`, or the reason of the signal. */
export async function startServer(start: Start, signal: AbortSignal): Promise<StartedServer> {
  const { ports } = start;
  const expanded = expandConfig(start.config, ports.place.env);
  if ("problem" in expanded) throw new StartProblem(expanded.problem);
  const { config } = expanded;
  const invalid = invalidity(config);
  if (invalid !== undefined) throw new StartProblem(invalid);
  const sdk = await loadSdk();
  const key = eraKey(config);
  const known = ports.memory.era(key);
  try {
    return await open(sdk, { ...start, config }, { key, known, signal });
  } catch (error) {
    // What was known of it may be the reason.
    if (known === undefined || signal.aborted) throw error;
    ports.memory.rememberEra(key, undefined);
    return open(sdk, { ...start, config }, { key, known: undefined, signal });
  }
}

type Attempt = { key: string; known: KnownEra | undefined; signal: AbortSignal };

async function open(sdk: Sdk, start: Start, attempt: Attempt): Promise<StartedServer> {
  const { config } = start;
  if (config.command !== undefined) return openOver("stdio", sdk, start, attempt);
  if (config.transport === "sse") return openOver("sse", sdk, start, attempt);
  try {
    return await openOver("http", sdk, start, attempt);
  } catch (error) {
    if (config.transport === "http" || !isOldServer(sdk, error)) throw error;
    return openOver("sse", sdk, start, attempt);
  }
}

/** Servers of 2024 have an address for events and another for messages: they know no POST to the first. */
function isOldServer(sdk: Sdk, error: unknown): boolean {
  return sdk.SdkHttpError.isInstance(error) && [400, 404, 405].includes(error.data.status ?? 0);
}

async function openOver(
  kind: "stdio" | "http" | "sse",
  sdk: Sdk,
  { config, ports, log, onListChanged }: Start,
  { key, known, signal }: Attempt,
): Promise<StartedServer> {
  const timeoutMs = config.startupTimeoutMs ?? STARTUP_MS;
  const { people, identity, clock, memory } = ports;
  const limits = { silentMs: config.callTimeoutMs ?? SILENT_MS, totalMs: config.maxCallMs ?? TOTAL_MS };
  const calls = new RunningCalls(config.name, people.ask);
  const client = { server: config.name, sdk, identity, people, calls, log, onListChanged };
  const transport = () => serverTransport(config, kind, { sdk, ports, log });
  // The SSE transport is of the legacy era alone.
  const before: KnownEra | undefined = kind === "sse" ? { kind: "legacy" } : known;
  const parts = { client, config, time: { clock, limits, timeoutMs }, transport };
  const { connection, era } = await openConnection(parts, before, signal);
  try {
    const lists = await connection.lists(signal, timeoutMs);
    memory.rememberEra(key, era);
    return { connection, lists };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function invalidity({ name, from, command, url, transport }: McpServerConfig): string | undefined {
  const where = `The MCP server ${name} (${from})`;
  if (command === undefined && url === undefined) return `${where} has neither a command nor a URL.`;
  if (command !== undefined && url !== undefined) return `${where} has a command and a URL: one of them must go.`;
  if (command === "") return `${where} has an empty command.`;
  if (command !== undefined && transport !== undefined && transport !== "stdio")
    return `${where} has a command, which goes with the transport stdio, not ${transport}.`;
  if (url === undefined) return undefined;
  if (transport === "stdio") return `${where} has a URL, which does not go with the transport stdio.`;
  const isHttp = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  return isHttp ? undefined : `${where} has a URL that is not valid: it must begin with http:// or https://.`;
}

/** What decides which server it is. Variables and headers do not: they change with each token. */
function eraKey({ command, args = [], url, cwd }: McpServerConfig): string {
  return createHash("sha256")
    .update(JSON.stringify([command, args, cwd, url]))
    .digest("hex")
    .slice(0, 32);
}

export type Explained = { state: "failed" | "needs-login"; problem: string };

/** Why a server did not start, as a sentence. */
export function explainStart(error: unknown, { name, startupTimeoutMs }: McpServerConfig, log: ServerLog): Explained {
  if (error instanceof StartProblem) return { state: "failed", problem: error.message };
  const words = log.tail(5);
  const last = words === "" ? "" : ` Its last words: ${words}`;
  if (error instanceof CallTimeout)
    return {
      state: "failed",
      problem: `The MCP server ${name} did not start within ${(startupTimeoutMs ?? STARTUP_MS) / 1000} s.${last}`,
    };
  const what = error instanceof Error ? error.message : String(error);
  return { state: "failed", problem: `The MCP server ${name} did not start: ${what}${last}` };
}
