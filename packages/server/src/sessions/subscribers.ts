import type { SessionUpdate } from "@harness/protocol";
import type { Client } from "../clients/client.ts";

/** The clients that follow one session. */
export class Subscribers {
  readonly clients = new Set<Client>();
  #held: SessionUpdate[] | undefined;

  add(client: Client): void {
    if (this.clients.has(client) || client.closed.aborted) return;
    this.clients.add(client);
    client.closed.addEventListener("abort", () => this.clients.delete(client), { once: true });
  }

  /**
   * Holds updates back until the returned function is called, so that an answer goes out before the updates it caused.
   */
  hold(): () => void {
    this.#held ??= [];
    return () => {
      const held = this.#held ?? [];
      this.#held = undefined;
      for (const update of held) this.send(update);
    };
  }

  send(update: SessionUpdate): void {
    if (this.#held) {
      this.#held.push(update);
      return;
    }
    for (const client of this.clients) sendUpdate(client, update);
  }
}

/** A fact always arrives; a chunk may be dropped when the client reads too slowly. */
export function sendUpdate(client: Client, params: SessionUpdate): void {
  if (client.profile?.optOut.has(params.update.sessionUpdate)) return;
  const isDelta = params.seq === undefined && "offset" in params.update;
  client.peer.notify("session/update", params, { droppable: isDelta });
}
