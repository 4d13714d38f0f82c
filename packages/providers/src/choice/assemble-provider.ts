import type { ToolMode } from "@harness/protocol";
import type { ServerReport } from "../catalogues/discovery.ts";
import type { ModelLoader } from "../loading/model-loader.ts";
import { withConstrainedCalls } from "../text-calls/with-constrained-calls.ts";
import { withPlainHistory } from "../text-calls/with-plain-history.ts";
import { withPromptedTools } from "../text-calls/with-prompted-tools.ts";
import { withSeenImages } from "../text-calls/with-seen-images.ts";
import { withTextCalls } from "../text-calls/with-text-calls.ts";
import { withToolFallback } from "../text-calls/with-tool-fallback.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import type { Env } from "../wires/endpoint/environment.ts";
import { withQueue } from "../wires/queue/with-queue.ts";
import { withRetry } from "../wires/retry/retry.ts";
import type { Ports, WireProvider } from "../wires/wire-api.ts";
import { endpointProvider } from "./endpoint-provider.ts";
import type { ProviderMemory } from "./provider-memory.ts";
import { withAcceptedTools } from "./with-accepted-tools.ts";

export type Assembly = Ports & {
  env: Env;
  memory: ProviderMemory;
  /** Requests that the server handles at once; absent: no limit. */
  slots?: number | undefined;
  toolMode: ToolMode;
  /** Present if the server loads models on request. */
  loader?: ModelLoader | undefined;
  /** Absent: unknown. */
  seesImages?: boolean | undefined;
};

/**
 * All layers between a request and its reply, from the inside: the wire API; the queue of the endpoint, inside the
 * retry so that no slot is held during a pause; the loading of the model; the retry; the list of models if the
 * requested one does not exist; the tools that the server accepts; and the way of calling tools. `plain` omits the last
 * one and shows what the model itself does.
 */
export function assembleProvider(
  endpoint: Endpoint,
  assembly: Assembly,
): { provider: WireProvider; plain: WireProvider } {
  const { env, slots, toolMode, memory } = assembly;
  const { learned } = memory;
  const queued = withQueue(
    endpointProvider(endpoint, { ...assembly, learned }, env),
    memory.queues.of(endpoint, slots),
  );
  const ready = assembly.loader?.before(queued) ?? queued;
  const plain = withModelNames(
    withRetry(ready, assembly, endpoint.limits, memory.contactWith(endpoint)),
    endpoint,
    memory,
  );
  const accepted = withAcceptedTools(plain, (model) => memory.verdictsOf(endpoint, model));
  return { provider: withTools(withSeenImages(accepted, assembly), toolMode), plain };
}

export function withTools(plain: WireProvider, toolMode: ToolMode): WireProvider {
  if (toolMode === "constrained") return withConstrainedCalls(plain);
  if (toolMode === "prompted") return withPromptedTools(plain);
  return withToolFallback(withTextCalls(withPlainHistory(plain)), withPromptedTools(plain));
}

const SHOWN_MODELS = 8;

/** Adds the existing models to a failure because of an unknown model. */
function withModelNames(provider: WireProvider, endpoint: Endpoint, { lists }: ProviderMemory): WireProvider {
  return {
    id: provider.id,
    async *stream(request, signal) {
      for await (const event of provider.stream(request, signal)) {
        if (event.type !== "failed" || event.refusal !== "no_model") {
          yield event;
          continue;
        }
        const message = `${event.failure.message}${namesAt(await lists.reportOfChosen(endpoint), request.model)}`;
        yield { ...event, failure: { ...event.failure, message } };
      }
    },
  };
}

function namesAt(report: ServerReport, model: string): string {
  if (!report.reachable || report.models.length === 0) return "";
  const ids = closestFirst(
    report.models.map(({ id }) => id),
    model,
  );
  const more = ids.length - SHOWN_MODELS;
  return ` It has: ${ids.slice(0, SHOWN_MODELS).join(", ")}${more > 0 ? `, and ${more} more` : ""}.`;
}

/** Ids with the longest common prefix first; ties stay in the server's order. */
export function closestFirst(ids: readonly string[], model: string): string[] {
  const wanted = lastPart(model);
  const likeness = (id: string) => {
    const name = lastPart(id);
    let at = 0;
    while (at < name.length && name[at] === wanted[at]) at += 1;
    return at;
  };
  return ids
    .map((id) => ({ id, likeness: likeness(id) }))
    .sort((a, b) => b.likeness - a.likeness)
    .map(({ id }) => id);
}

function lastPart(model: string): string {
  return model.slice(model.lastIndexOf("/") + 1).toLowerCase();
}
