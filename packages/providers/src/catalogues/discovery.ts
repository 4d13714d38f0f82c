import type { Clock } from "@harness/core";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import { explain, WrongApiError } from "../wires/failures/failure.ts";
import { askJson, type JsonQuestion, withTimeout } from "../wires/http/ask-json.ts";
import { RequestTimeoutError } from "../wires/http/exchange.ts";
import { catalogues } from "./catalogues.ts";
import type { Ask, ServerModel } from "./server-model.ts";

/** A server's answer about its models. */
export type ServerReport = { endpoint: Endpoint } & (
  | { reachable: true; models: ServerModel[] }
  /**
   * The problem is a sentence for people. `isSilent`: it exists but does not answer. `isAway`: nearby, and nobody
   * listens there. `wantsKey`: it refused the key, or requires one.
   */
  | { reachable: false; problem: string; isSilent?: true; isAway?: true; wantsKey?: true }
);

/** A nearby server has accepted a connection by then, or does not exist. */
const CONNECT_MS = 300;
/** A server that accepted may be loading a model. */
const LOCAL_LIMIT_MS = 3_000;
/** A chosen server may be busy with another request. */
const CHOSEN_LIMIT_MS = 5_000;
const HOSTED_LIMIT_MS = 10_000;

export type AskOptions = {
  /** True if the user chose this server, which is then given more time. */
  isChosen: boolean;
  /** Called if a nearby server accepted the connection but has not answered yet. */
  onWait?(): void;
};

/** Asks a server which models it has. Never throws. */
export async function askForModels(
  endpoint: Endpoint,
  clock: Clock,
  { isChosen, onWait }: AskOptions,
): Promise<ServerReport> {
  let isConnected = false;
  const onConnect = () => {
    isConnected = true;
  };
  const more = () => {
    if (!endpoint.near || (!isConnected && !isChosen)) return 0;
    if (isConnected) onWait?.();
    return (isChosen ? CHOSEN_LIMIT_MS : LOCAL_LIMIT_MS) - CONNECT_MS;
  };
  try {
    const firstMs = endpoint.near ? CONNECT_MS : HOSTED_LIMIT_MS;
    const list = (signal: AbortSignal) =>
      catalogues[endpoint.vendor.catalogue].list(asker(endpoint, { signal, onConnect }));
    return { endpoint, reachable: true, models: await withTimeout(clock, firstMs, list, more) };
  } catch (error) {
    const cause = error instanceof SyntaxError ? new WrongApiError("something that is not JSON") : error;
    const isLate = cause instanceof RequestTimeoutError;
    const shown = isLate && !isConnected ? new RequestTimeoutError("connect", cause.limitMs) : cause;
    const { failure, awayMs } = explain(shown, { endpoint, model: "", now: clock.now() });
    return {
      endpoint,
      reachable: false,
      problem: failure.message,
      ...(isLate && isConnected ? { isSilent: true } : {}),
      ...(awayMs !== undefined && { isAway: true }),
      ...(failure.kind === "auth" && { wantsKey: true }),
    };
  }
}

/**
 * Everything that a server reports about a model: its entry in the list, and the answer about this model alone.
 * `wanted`: the context window that the user set. Fields without an answer are absent. Never throws.
 */
export async function askAboutModel(
  report: ServerReport,
  model: string,
  clock: Clock,
  wanted?: number,
): Promise<ServerModel> {
  if (!report.reachable) return { id: model };
  const { endpoint, models } = report;
  const catalogue = catalogues[endpoint.vendor.catalogue];
  const listed = models.find((each) => isSameModel(each.id, model));
  const firstAnswer = <T>(task: (ask: Ask) => Promise<T> | undefined): Promise<T | undefined> =>
    withTimeout(clock, endpoint.near ? CHOSEN_LIMIT_MS : HOSTED_LIMIT_MS, async (signal) =>
      task(asker(endpoint, { signal })),
    ).catch(() => undefined);
  const [detail, countsPart] = await Promise.all([
    firstAnswer((ask) => catalogue.look?.(ask, model, listed, wanted)),
    firstAnswer((ask) => catalogue.countsPart?.(ask)),
  ]);
  return { ...(listed ?? { id: model }), ...detail, ...(countsPart && { countsPart }) };
}

/**
 * True if the server at this address is of the vendor's kind; kinds that cannot be recognised never are. Never throws.
 */
export async function isOfItsKind(endpoint: Endpoint, clock: Clock): Promise<boolean> {
  const { isServer } = catalogues[endpoint.vendor.catalogue];
  if (!isServer) return false;
  let isConnected = false;
  const onConnect = () => {
    isConnected = true;
  };
  const more = () => (isConnected ? LOCAL_LIMIT_MS - CONNECT_MS : 0);
  const look = (signal: AbortSignal) => isServer(asker(endpoint, { signal, onConnect }));
  return withTimeout(clock, endpoint.near ? CONNECT_MS : HOSTED_LIMIT_MS, look, more).catch(() => false);
}

/** Ollama adds `:latest` to a name without a tag. */
export function isSameModel(listed: string, wanted: string): boolean {
  return listed === wanted || listed === `${wanted}:latest`;
}

function asker(endpoint: Endpoint, watch: Pick<JsonQuestion, "signal" | "onConnect">): Ask {
  return (path, body) => askJson(endpoint, { url: infoUrl(endpoint, path), body, ...watch });
}

/** The address for questions about the server itself. */
export function infoUrl({ baseUrl }: Endpoint, path: string): string {
  // Other addresses, such as …/v4, have the list of models directly below them.
  return path.startsWith("/v1/") ? `${baseUrl}${path.slice(3)}` : `${baseUrl.replace(/\/v1$/, "")}${path}`;
}
