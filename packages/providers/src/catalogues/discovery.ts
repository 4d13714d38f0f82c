import type { Clock } from "@harness/core";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import { explain, NotTheApi } from "../wires/failures/failure.ts";
import { askJson, withTimeout } from "../wires/http/ask-json.ts";
import { catalogues } from "./catalogues.ts";
import type { Ask, ServerModel } from "./server-model.ts";

/** A server's answer about its models. */
export type ServerReport = { endpoint: Endpoint } & (
  | { reachable: true; models: ServerModel[] }
  /** The problem is a sentence for people. */
  | { reachable: false; problem: string }
);

/** Local servers that were not asked for answer at once or are left out. */
const LOCAL_LIMIT_MS = 300;
/** A chosen server may be busy with another request. */
const CHOSEN_LIMIT_MS = 5_000;
const HOSTED_LIMIT_MS = 10_000;

/** Asks a server which models it has; one that the person chose is given more time. Never throws. */
export async function askForModels(
  endpoint: Endpoint,
  clock: Clock,
  { isChosen }: { isChosen: boolean },
): Promise<ServerReport> {
  try {
    const models = await withTimeout(clock, limitOf(endpoint, { isChosen }), (signal) =>
      catalogues[endpoint.vendor.catalogue].list(asker(endpoint, signal)),
    );
    return { endpoint, reachable: true, models };
  } catch (error) {
    const cause = error instanceof SyntaxError ? new NotTheApi("something that is not JSON") : error;
    const { failure } = explain(cause, { endpoint, model: "", now: clock.now() });
    return { endpoint, reachable: false, problem: failure.message };
  }
}

/**
 * Everything that a server reports about a model: its entry in the list, and the answer about this model alone.
 * `wanted` is the context window that the person set. Fields without an answer are absent. Never throws.
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
  const asked = <T>(task: (ask: Ask) => Promise<T> | undefined): Promise<T | undefined> =>
    withTimeout(clock, limitOf(endpoint, { isChosen: true }), async (signal) => task(asker(endpoint, signal))).catch(
      () => undefined,
    );
  const [detail, countsPart] = await Promise.all([
    asked((ask) => catalogue.look?.(ask, model, listed, wanted)),
    asked((ask) => catalogue.countsPart?.(ask)),
  ]);
  return { ...(listed ?? { id: model }), ...detail, ...(countsPart && { countsPart }) };
}

/** Ollama adds `:latest` to a name without a tag. */
export function isSameModel(listed: string, asked: string): boolean {
  return listed === asked || listed === `${asked}:latest`;
}

function limitOf(endpoint: Endpoint, { isChosen }: { isChosen: boolean }): number {
  if (!endpoint.near) return HOSTED_LIMIT_MS;
  return isChosen ? CHOSEN_LIMIT_MS : LOCAL_LIMIT_MS;
}

function asker(endpoint: Endpoint, signal: AbortSignal): Ask {
  const root = endpoint.baseUrl.replace(/\/v1$/, "");
  // Addresses that end otherwise, such as …/v4, have the list of models right below.
  const urlOf = (path: string) => (path.startsWith("/v1/") ? `${endpoint.baseUrl}${path.slice(3)}` : `${root}${path}`);
  return (path, body) => askJson(endpoint, { url: urlOf(path), body, signal });
}
