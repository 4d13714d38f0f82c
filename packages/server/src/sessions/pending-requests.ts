import { ProtocolError } from "@harness/protocol";
import type { Client } from "../clients/client.ts";

/** How one thing is asked. */
type Ask<S, A> = {
  id: string;
  subject: S;
  /** Aborts when no answer is wanted any more; `withdrawn` is the answer then. */
  signal: AbortSignal;
  withdrawn: A;
  /** Those who can answer now. */
  clients: readonly Client[];
  /** Undefined = this client gives no answer; others still can. Rejects when the client is gone. */
  put(client: Client, withdrawn: AbortSignal): Promise<A | undefined>;
  /** The answer when nobody who was asked gives one, although they are there; absent: it waits for others. */
  refused?: A;
};

type Open<S, A> = {
  subject: S;
  /** Takes the first answer; later ones return false. */
  settle(answer: A): boolean;
  /** Asks one more client. */
  ask(client: Client): void;
};

/**
 * What waits for an answer, each by its id: the first answer counts, and all others who were asked are told that it is
 * withdrawn. It outlives those who are asked.
 */
export class PendingRequests<S, A> {
  readonly #open = new Map<string, Open<S, A>>();

  subjects(): S[] {
    return [...this.#open.values()].map(({ subject }) => subject);
  }

  /** False when it is not open (any more). */
  settle(id: string, answer: A): boolean {
    return this.#open.get(id)?.settle(answer) ?? false;
  }

  /** Asks a client that came later. */
  askAlso(client: Client): void {
    for (const each of this.#open.values()) each.ask(client);
  }

  /** Never rejects. */
  ask(ask: Ask<S, A>): Promise<A> {
    const { id, subject, signal } = ask;
    return new Promise((resolve) => {
      const withdrawn = new AbortController();
      const asked = new Set<Client>();
      const settle = (answer: A): boolean => {
        if (!this.#open.delete(id)) return false;
        signal.removeEventListener("abort", cancel);
        withdrawn.abort();
        resolve(answer);
        return true;
      };
      const cancel = () => settle(ask.withdrawn);
      const gaveNone = (client: Client, isGone: boolean) => {
        asked.delete(client);
        // Who has left may come back, or somebody else.
        if (ask.refused !== undefined && asked.size === 0 && !isGone) settle(ask.refused);
      };
      const put = async (client: Client) => {
        if (asked.has(client)) return;
        asked.add(client);
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
