import { createHash } from "node:crypto";
import { LoginNeededError } from "../auth/login-attempt.ts";
import { ServerAuth } from "../auth/server-auth.ts";
import { expandConfig } from "../config/expand-variables.ts";
import { namedSecrets } from "../config/named-secrets.ts";
import { configProblem, type McpServerConfig } from "../config/server-config.ts";
import type { McpConnection } from "../connection/connection.ts";
import { type KnownEra, openConnection } from "../connection/open-connection.ts";
import { RunningCalls } from "../connection/running-calls.ts";
import type { ServerLists } from "../connection/server-lists.ts";
import type { ServerLog } from "../connection/server-log.ts";
import type { McpPorts } from "../ports/pool-ports.ts";
import { loadSdk, type Sdk } from "../ports/sdk.ts";
import { limitedFetch } from "../transports/limited-fetch.ts";
import { EraCache } from "./era-cache.ts";
import { serverTransport } from "./server-transport.ts";

export const STARTUP_MS = 30_000;
const SILENT_MS = 5 * 60_000;
const TOTAL_MS = 60 * 60_000;

/** A server that cannot be started at present; the message is a sentence for people. */
export class StartError extends Error {}

/** A server that is about to be started, with its variables expanded. */
export type PreparedServer = {
  config: McpServerConfig;
  sdk: Sdk;
  ports: McpPorts;
  log: ServerLog;
  /** For servers over HTTP. */
  auth: ServerAuth | undefined;
};

export type StartedServer = { connection: McpConnection; lists: ServerLists };

/** Rejects with `StartError`. */
export async function prepareServer(
  original: McpServerConfig,
  ports: McpPorts,
  log: ServerLog,
): Promise<PreparedServer> {
  const expanded = expandConfig(original, ports.place.env);
  if ("problem" in expanded) throw new StartError(expanded.problem);
  const { config } = expanded;
  const problem = configProblem(config);
  if (problem !== undefined) throw new StartError(problem);
  ports.kept.secrets.add(namedSecrets(config));
  const sdk = await loadSdk();
  if (config.url === undefined) return { config, sdk, ports, log, auth: undefined };
  const { clock, kept } = ports;
  const auth = new ServerAuth({ sdk, config, store: kept.logins, fetch: limitedFetch(ports.fetch), clock });
  return { config, sdk, ports, log, auth };
}

/**
 * Connects, and reads the server's offers. Rejects with the SDK's error, `LoginNeededError`, or the signal's reason.
 */
export async function startServer(
  server: PreparedServer,
  onListChanged: () => void,
  signal: AbortSignal,
): Promise<StartedServer> {
  const { config, sdk, auth, ports } = server;
  const eras = new EraCache(ports.kept.servers, () => ports.clock.now());
  const key = eraKey(config);
  const known = eras.read(key);
  const attempt = {
    onListChanged,
    signal,
    remember: (era: KnownEra, identity: string) => eras.remember(key, era, identity),
  };
  try {
    return await open(server, known, attempt);
  } catch (error) {
    if (sdk.InsufficientScopeError.isInstance(error)) {
      auth?.widen({ scope: error.requiredScope, resourceMetadataUrl: error.resourceMetadataUrl });
      throw new LoginNeededError(config.name);
    }
    // The stored era may be the reason.
    if (known === undefined || signal.aborted || error instanceof LoginNeededError) throw error;
    eras.forget(key);
    return open(server, undefined, attempt);
  }
}

type Attempt = { onListChanged(): void; signal: AbortSignal; remember(era: KnownEra, identity: string): void };

async function open(server: PreparedServer, known: KnownEra | undefined, attempt: Attempt): Promise<StartedServer> {
  const { config, sdk } = server;
  if (config.command !== undefined) return openOver("stdio", server, known, attempt);
  if (config.transport === "sse") return openOver("sse", server, known, attempt);
  try {
    return await openOver("http", server, known, attempt);
  } catch (error) {
    if (config.transport === "http" || !isOldServer(sdk, error)) throw error;
    return openOver("sse", server, known, attempt);
  }
}

/** Servers of 2024 have separate addresses for events and messages: they reject a POST to the first. */
function isOldServer(sdk: Sdk, error: unknown): boolean {
  return sdk.SdkHttpError.isInstance(error) && [400, 404, 405].includes(error.data.status ?? 0);
}

async function openOver(
  kind: "stdio" | "http" | "sse",
  server: PreparedServer,
  known: KnownEra | undefined,
  attempt: Attempt,
): Promise<StartedServer> {
  const { config, sdk, ports, log, auth } = server;
  const { onListChanged, signal, remember } = attempt;
  const timeoutMs = config.startupTimeoutMs ?? STARTUP_MS;
  const { people, identity, clock } = ports;
  const limits = { silentMs: config.callTimeoutMs ?? SILENT_MS, totalMs: config.maxCallMs ?? TOTAL_MS };
  const calls = new RunningCalls(config.name, people.ask);
  const maySample = config.sampling === true;
  const client = { sdk, identity, people, maySample, calls, log, onListChanged };
  const transport = () => serverTransport(config, kind, { sdk, ports, log, auth });
  const parts = { client, auth, config, time: { clock, limits, timeoutMs }, transport };
  // The SSE transport belongs to the legacy era only.
  const { connection, era } = await openConnection(parts, kind === "sse" ? { kind: "legacy" } : known, signal);
  try {
    // In parallel, so that a known era still saves the time of a question.
    const [lists, discover] = await Promise.all([
      connection.lists(signal, timeoutMs),
      known?.kind === "modern" ? connection.discover(signal, timeoutMs) : undefined,
    ]);
    // It was updated: the lists were requested according to its old capabilities. It is started again with nothing
    // known.
    if (known?.kind === "modern" && discover && saidOfItself(discover) !== saidOfItself(known.discover)) {
      throw new Error(`The MCP server ${config.name} is another version.`);
    }
    if (kind !== "sse") remember(era, connection.identity);
    return { connection, lists };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

type Discovery = {
  capabilities: object;
  instructions?: string | undefined;
  _meta?: Record<string, unknown> | undefined;
};

function saidOfItself({ capabilities, instructions, _meta }: Discovery): string {
  return JSON.stringify([_meta?.["io.modelcontextprotocol/serverInfo"], capabilities, instructions]);
}

/** The parts that identify a server. Variables and headers do not, because they change with each token. */
function eraKey({ command, args = [], url, cwd }: McpServerConfig): string {
  return createHash("sha256")
    .update(JSON.stringify([command, args, cwd, url]))
    .digest("hex")
    .slice(0, 32);
}
