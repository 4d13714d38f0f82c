import type { Clock } from "@harness/core";
import { cancellable } from "@harness/gate";
import type { Failure } from "@harness/protocol";
import { catalogues } from "../catalogues/catalogues.ts";
import { infoUrl } from "../catalogues/discovery.ts";
import { type Ask, type ServerModel, ServerRefusalError } from "../catalogues/server-model.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import { readErrorBody, withoutSecrets } from "../wires/failures/error-text.ts";
import { explain } from "../wires/failures/failure.ts";
import { askJson, withTimeout } from "../wires/http/ask-json.ts";
import { firstByteMs, HttpError } from "../wires/http/exchange.ts";

/** How a server runs a model that is in memory, or why it is not; undefined: it loads nothing on request. */
export type LoadOutcome = { served: Partial<ServerModel> } | { failure: Failure } | undefined;

/** `onLoading` is called if there is something to wait for. */
export type LoadWatch = { signal: AbortSignal; onLoading(): void };

type LoadTarget = { endpoint: Endpoint; model: string; contextWindow?: number | undefined };
type RunningLoad = {
  outcome: Promise<LoadOutcome>;
  isLoading: boolean;
  waiting: Set<() => void>;
  stop: AbortController;
};

/** The list is fetched again; a busy server answers late. */
const LOOK_MS = 5_000;

/** The models that servers are loading for us: one load for all waiters, until the last of them gives up. */
export class ModelLoads {
  readonly #clock: Clock;
  readonly #running = new Map<string, RunningLoad>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves when the model is in memory, or cannot be. Rejects only with the signal's reason. */
  async load(wanted: LoadTarget, { signal, onLoading }: LoadWatch): Promise<LoadOutcome> {
    signal.throwIfAborted();
    const key = JSON.stringify([wanted.endpoint.baseUrl, wanted.model]);
    const running = this.#running.get(key) ?? this.#begin(key, wanted);
    running.waiting.add(onLoading);
    if (running.isLoading) onLoading();
    try {
      return await cancellable(running.outcome, signal, () => Promise.reject(signal.reason));
    } finally {
      running.waiting.delete(onLoading);
      if (running.waiting.size === 0) {
        running.stop.abort("nobody waits");
        if (this.#running.get(key) === running) this.#running.delete(key);
      }
    }
  }

  #begin(key: string, wanted: LoadTarget): RunningLoad {
    const stop = new AbortController();
    const waiting = new Set<() => void>();
    const onLoading = () => {
      running.isLoading = true;
      for (const tell of waiting) tell();
    };
    const running: RunningLoad = { isLoading: false, waiting, stop, outcome: Promise.resolve(undefined) };
    this.#running.set(key, running);
    running.outcome = this.#outcome(wanted, { signal: stop.signal, onLoading });
    return running;
  }

  /** Never rejects. */
  async #outcome(
    { endpoint, model, contextWindow }: LoadTarget,
    { signal, onLoading }: LoadWatch,
  ): Promise<LoadOutcome> {
    const ask = (limitMs: number): Ask => {
      return (path, body) =>
        withTimeout(this.#clock, limitMs, (late) =>
          askJson(endpoint, { url: infoUrl(endpoint, path), body, signal: AbortSignal.any([signal, late]) }),
        );
    };
    const asks = { look: ask(LOOK_MS), work: ask(firstByteMs(endpoint)) };
    try {
      const served = await catalogues[endpoint.vendor.catalogue].load?.(asks, { model, contextWindow, onLoading });
      return served && { served };
    } catch (error) {
      return { failure: loadFailure(error, { endpoint, model, now: this.#clock.now() }) };
    }
  }
}

/** The server's message, and the next step. */
function loadFailure(error: unknown, request: { endpoint: Endpoint; model: string; now: number }): Failure {
  const { vendor, shown, key } = request.endpoint;
  const words = refusalOf(error);
  if (words === undefined) return explain(error, request).failure;
  const what = `${vendor.name} at ${shown} could not load ${JSON.stringify(request.model)}.`;
  const message = `${what} ${vendor.loadAdvice ?? "Choose another model."} It says: ${JSON.stringify(words)}`;
  return { kind: "network", message: withoutSecrets(message, key) };
}

/** Undefined: it did not refuse to load this model, but something else is wrong. */
function refusalOf(error: unknown): string | undefined {
  if (error instanceof ServerRefusalError) return error.message;
  if (error instanceof SyntaxError) return "something that is not JSON";
  if (!(error instanceof HttpError) || error.status === 401 || error.status === 403) return undefined;
  return readErrorBody(error.body).message || undefined;
}
