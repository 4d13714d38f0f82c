import type { CallParams, ClientMethods, ClientNotifications, NotificationName } from "@harness/protocol";
import type { Client } from "./client.ts";

type FromServer = ClientMethods & ClientNotifications;

/** The currently connected clients. */
export class ConnectedClients {
  readonly #clients = new Set<Client>();

  get all(): readonly Client[] {
    return [...this.#clients];
  }

  get count(): number {
    return this.#clients.size;
  }

  add(client: Client): void {
    this.#clients.add(client);
  }

  remove(client: Client): void {
    this.#clients.delete(client);
  }

  /** Notifies every client that has initialized. */
  broadcast<M extends NotificationName<FromServer>>(method: M, params: CallParams<FromServer, M>): void {
    for (const { peer, profile } of this.#clients) if (profile) peer.notify(method, params);
  }
}
