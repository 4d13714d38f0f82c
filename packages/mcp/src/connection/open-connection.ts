import type { Clock } from "@harness/core";
import type { ConnectOptions, Transport } from "@modelcontextprotocol/client";
import { SoundAnswers } from "../answers/sound-answers.ts";
import type { ServerAuth } from "../auth/server-auth.ts";
import type { McpServerConfig } from "../config/server-config.ts";
import type { CallLimits } from "./call-watch.ts";
import { McpConnection } from "./connection.ts";
import { createClient, type McpClientDeps } from "./create-client.ts";

/** The era that a server is known to use; `modern` with its own description, so that nothing needs to be asked. */
export type KnownEra = NonNullable<ConnectOptions["prior"]>;

type OpenConnectionDeps = {
  client: McpClientDeps;
  auth: ServerAuth | undefined;
  config: McpServerConfig;
  time: { clock: Clock; limits: CallLimits; timeoutMs: number };
  /** Creates a new transport for each attempt. */
  transport(): Transport;
};

/** The newest revision of the modern era, for servers that must use nothing else. */
const MODERN = "2026-07-28";
/** A server that does not answer the first question of the modern era within this time belongs to the legacy era. */
const PROBE_MS = 5_000;

type Mode = { kind: "known"; era: KnownEra } | { kind: "auto" } | { kind: "modern" };

/** Rejects with the SDK's error, or the transport's. */
export async function openConnection(deps: OpenConnectionDeps, known: KnownEra | undefined, signal: AbortSignal) {
  const { era = "auto" } = deps.config;
  if (era === "legacy") return connect(deps, { kind: "known", era: { kind: "legacy" } }, signal);
  if (era === "modern") return connect(deps, { kind: "modern" }, signal);
  if (known) return connect(deps, { kind: "known", era: known }, signal);
  try {
    return await connect(deps, { kind: "auto" }, signal);
  } catch (error) {
    if (signal.aborted || !endsOnQuestions(deps, error)) throw error;
    return connect(deps, { kind: "known", era: { kind: "legacy" } }, signal);
  }
}

/** Servers of some older SDKs end at the first unknown message. */
function endsOnQuestions({ client: { sdk }, config }: OpenConnectionDeps, error: unknown): boolean {
  return (
    config.command !== undefined &&
    sdk.SdkError.isInstance(error) &&
    error.code === sdk.SdkErrorCode.EraNegotiationFailed
  );
}

async function connect(deps: OpenConnectionDeps, mode: Mode, signal: AbortSignal) {
  const { sdk, calls, log } = deps.client;
  const { clock, limits, timeoutMs } = deps.time;
  const probe = { timeoutMs: Math.min(PROBE_MS, timeoutMs) };
  const versions = mode.kind === "auto" ? ({ mode: "auto", probe } as const) : { mode: { pin: MODERN }, probe };
  const client = createClient(deps.client, mode.kind === "known" ? undefined : versions);
  const answers = new SoundAnswers();
  const connection = new McpConnection({ sdk, client, answers, calls, clock, limits, auth: deps.auth });
  const options = { signal, timeout: timeoutMs };
  const transport = deps.transport();
  answers.watch(transport);
  // Some of its steps are not requests, and only closing the transport ends them.
  const onAbort = () => void transport.close().catch(() => undefined);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await client.connect(transport, mode.kind === "known" ? { ...options, prior: mode.era } : options);
  } catch (error) {
    await transport.close().catch(() => undefined);
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
  if (mode.kind === "known" && mode.era.kind === "modern") {
    const filter = changesOf(client.getServerCapabilities());
    // The SDK only listens by itself if it has asked for the era.
    if (filter) client.listen(filter).catch((error: Error) => log.line(`(harness) ${error.message}`));
  }
  if (client.getServerCapabilities()?.logging && client.getProtocolEra() === "legacy") {
    client.setLoggingLevel("info", options).catch((error: Error) => log.line(`(harness) ${error.message}`));
  }
  const discover = client.getDiscoverResult();
  const era: KnownEra = discover ? { kind: "modern", discover } : { kind: "legacy" };
  return { connection, era };
}

type Capabilities = ReturnType<InstanceType<McpClientDeps["sdk"]["Client"]>["getServerCapabilities"]>;

function changesOf(capabilities: Capabilities) {
  const { tools, prompts, resources } = capabilities ?? {};
  if (!tools?.listChanged && !prompts?.listChanged && !resources?.listChanged) return undefined;
  return {
    ...(tools?.listChanged && { toolsListChanged: true }),
    ...(prompts?.listChanged && { promptsListChanged: true }),
    ...(resources?.listChanged && { resourcesListChanged: true }),
  };
}
