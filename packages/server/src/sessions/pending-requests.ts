import { ProtocolError } from "@harness/protocol";
import type { Client } from "../clients/client.ts";

/** A request and the ways to settle it. */
type Ask<S, A> = {
  id: string;
  subject: S;
  /** Aborts when the answer is no longer wanted; the request then settles with `withdrawn`. */
  signal: AbortSignal;
  withdrawn: A;
  /** The clients that can answer now. */
  clients: readonly Client[];
  /** Undefined: this client does not answer, but others still can. Rejects if the client has disconnected. */
  put(client: Client, withdrawn: AbortSignal): Promise<A | undefined>;
  /** The answer if no client answers; absent: the request waits for further clients. */
  refused?: A;
};

type Open<S, A> = {
  subject: S;
  /** Settles the request with the first answer; returns false for later ones. */
  settle(answer: A): boolean;
  /** Sends the request to another client. */
  ask(client: Client): void;
};

/**
 * Requests that wait for an answer, by id. The first answer counts, and all other clients see a withdrawal. A request
 * outlives the clients that were asked.
 */
export class PendingRequests<S, A> {
  readonly #open = new Map<string, Open<S, A>>();

  subjects(): S[] {
    return [...this.#open.values()].map(({ subject }) => subject);
  }

  /** Returns false if the request is not open. */
  settle(id: string, answer: A): boolean {
    return this.#open.get(id)?.settle(answer) ?? false;
  }

  /** Sends all open requests to a client that attached later. */
  askAlso(client: Client): void {
    for (const each of this.#open.values()) each.ask(client);
  }

  /** Never rejects. */
  ask(ask: Ask<S, A>): Promise<A> {
    const { id, subject, signal } = ask;
    return new Promise((resolve) => {
      const withdrawn = new AbortController();
      const clients = new Set<Client>();
      const settle = (answer: A): boolean => {
        if (!this.#open.delete(id)) return false;
        signal.removeEventListener("abort", cancel);
        withdrawn.abort();
        resolve(answer);
        return true;
      };
      const cancel = () => settle(ask.withdrawn);
      const gaveNone = (client: Client, isGone: boolean) => {
        clients.delete(client);
        // A client that has left may return, or another client may answer.
        if (ask.refused !== undefined && clients.size === 0 && !isGone) settle(ask.refused);
      };
      const put = async (client: Client) => {
        if (clients.has(client)) return;
        clients.add(client);
        try {
          const answer = await ask.put(client, withdrawn.signal);
          if (answer === undefined) gaveNone(client, false);
          else settle(answer);
        } catch (error) {
          gaveNone(client, error instanceof ProtocolError && error.kind === "closed");
        }
      };
      this.#open.set(id, { subject, settle, ask: (client) => void put(client) });
      if (signal.aborted) {
        cancel();
        return;
      }
      signal.addEventListener("abort", cancel, { once: true });
      for (const client of ask.clients) void put(client);
    });
  }
}
