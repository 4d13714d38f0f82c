import type { ModelRequest } from "@harness/core";
import type { WireEvent, WireProvider } from "../wires/wire-api.ts";
import type { LoadOutcome, LoadWatch } from "./model-loads.ts";

/** Makes sure that a model is in its server's memory before requests, so that its context window is known by then. */
export class ModelLoader {
  readonly #model: string;
  readonly #load: (watch: LoadWatch) => Promise<LoadOutcome>;
  #isLoaded = false;

  constructor(model: string, load: (watch: LoadWatch) => Promise<LoadOutcome>) {
    this.#model = model;
    this.#load = load;
  }

  /** Checks again each time, because a server may have dropped the model. Rejects only with the signal's reason. */
  async load(watch: LoadWatch): Promise<LoadOutcome> {
    const outcome = await this.#load(watch);
    this.#isLoaded = !outcome || "served" in outcome;
    return outcome;
  }

  /** Loads the model for a first request if it is not loaded yet, and for one that finds it dropped. */
  before(provider: WireProvider): WireProvider {
    const ready = (request: ModelRequest, signal: AbortSignal) => this.#ready(request, signal);
    const dropped = () => {
      this.#isLoaded = false;
    };
    return {
      id: provider.id,
      async *stream(request, signal) {
        const isReady = yield* ready(request, signal);
        if (!isReady) return;
        for await (const event of provider.stream(request, signal)) {
          if (event.type === "failed" && event.loadingMs !== undefined) dropped();
          yield event;
        }
      },
    };
  }

  /** False: the reply has ended with the reason why there can be none. */
  async *#ready({ model }: ModelRequest, signal: AbortSignal): AsyncGenerator<WireEvent, boolean> {
    if (this.#isLoaded || model !== this.#model) return true;
    const started = Promise.withResolvers<"started">();
    const outcome = this.load({ signal, onLoading: () => started.resolve("started") }).catch(() => "stopped" as const);
    if ((await Promise.race([started.promise, outcome])) === "started") yield { type: "status", phase: "loading" };
    const ended = await outcome;
    if (ended === "stopped") yield { type: "end", parts: [], stop: "cut" };
    else if (ended && "failure" in ended) yield { type: "failed", failure: ended.failure, retryable: false };
    else return true;
    return false;
  }
}
