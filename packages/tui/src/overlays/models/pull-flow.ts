import { type PullUpdate, pullText } from "@harness/client/actions";
import type { WindowHost } from "../../client/window-host.ts";
import type { PullPage, SetupPage } from "./setup-page.ts";

type Pages = {
  page(): SetupPage | undefined;
  show(page: SetupPage | undefined): void;
  use(provider: string, model: string): Promise<void>;
};

/** Lets a server download a model while its page is in view; leaving the page stops the download. */
export class PullFlow {
  readonly #host: Pick<WindowHost, "server" | "store">;
  readonly #pages: Pages;

  constructor(host: Pick<WindowHost, "server" | "store">, pages: Pages) {
    this.#host = host;
    this.#pages = pages;
  }

  /** Downloads the model and uses it. Rejects with the reason if it could not be downloaded. */
  async pull({ provider }: PullPage, model: string): Promise<undefined> {
    const { server, store } = this.#host;
    const stopped = new AbortController();
    const unsubscribe = store.subscribe(() => {
      if (!this.#running) stopped.abort();
    });
    try {
      const pulled = await server.call("models/pull", { provider, model }, { signal: stopped.signal });
      if (!stopped.signal.aborted) await this.#pages.use(provider, pulled.model);
    } catch (error) {
      if (!stopped.signal.aborted) throw error;
    } finally {
      unsubscribe();
    }
    return undefined;
  }

  update(update: PullUpdate): void {
    const page = this.#running;
    if (page) this.#pages.show({ ...page, progress: pullText(update) });
  }

  get #running(): PullPage | undefined {
    const page = this.#pages.page();
    return page?.kind === "pull" && page.busy ? page : undefined;
  }
}
