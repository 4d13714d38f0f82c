import type { WindowHost } from "../../client/window-host.ts";
import type { LoadPage, SetupPage } from "./setup-page.ts";

type Pages = {
  page(): SetupPage | undefined;
  show(page: SetupPage | undefined): void;
  use(provider: string, model: string): Promise<void>;
};

type Host = Pick<WindowHost, "server" | "store" | "clock">;

/** A server loads a model into its memory while its page is in view; leaving the page ends the wait. */
export class LoadFlow {
  readonly #host: Host;
  readonly #pages: Pages;

  constructor(host: Host, pages: Pages) {
    this.#host = host;
    this.#pages = pages;
  }

  /** Loads the model and uses it. Rejects with the reason why it could not be loaded. */
  async load(page: LoadPage): Promise<undefined> {
    const { server, store, clock } = this.#host;
    const { provider, model } = page;
    const stopped = new AbortController();
    this.#pages.show({ ...page, busy: true, problem: undefined, waitedMs: undefined });
    const unsubscribe = store.subscribe(() => {
      if (!this.#running(page)) stopped.abort();
    });
    this.#tick(page, clock.now(), stopped.signal);
    try {
      await server.call("models/load", { provider, model }, { signal: stopped.signal });
      if (!stopped.signal.aborted) await this.#pages.use(provider, model);
    } catch (error) {
      if (!stopped.signal.aborted) throw error;
    } finally {
      unsubscribe();
      stopped.abort();
    }
    return undefined;
  }

  /** Shows every second how long it has taken so far. */
  #tick(page: LoadPage, sinceMs: number, signal: AbortSignal): void {
    const { clock } = this.#host;
    clock.after(1_000, () => {
      const running = signal.aborted ? undefined : this.#running(page);
      if (!running) return;
      this.#pages.show({ ...running, waitedMs: clock.now() - sinceMs });
      this.#tick(page, sinceMs, signal);
    });
  }

  #running({ provider, model }: LoadPage): LoadPage | undefined {
    const page = this.#pages.page();
    const isIt = page?.kind === "load" && page.busy && page.provider === provider && page.model === model;
    return isIt ? page : undefined;
  }
}
