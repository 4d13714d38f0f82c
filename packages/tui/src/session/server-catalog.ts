import type { Server } from "../client/connect-server.ts";
import type { Store } from "../state/store.ts";

/** Providers and commands that the server has. Never rejects: without an answer the window shows less. */
export class ServerCatalog {
  readonly #store: Store;
  readonly #server: Server;

  constructor(store: Store, server: Server) {
    this.#store = store;
    this.#server = server;
  }

  async loadProviders(): Promise<void> {
    const found = await this.#server.call("providers/list", {}).catch(() => undefined);
    if (!found) return;
    const { selected, advice = [] } = found;
    this.#store.dispatch({ type: "providersListed", providers: { ...(selected ? { selected } : {}), advice } });
  }

  async loadCommands(): Promise<void> {
    const found = await this.#server.call("commands/list", {}).catch(() => undefined);
    if (found) this.#store.dispatch({ type: "commandsListed", commands: found.commands });
  }
}
