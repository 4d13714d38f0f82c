import type { Client } from "./client.ts";

/**
 * Makes large answers for one client one after another, each when the client has taken the one before: a client that does
 * not read holds one of them in memory, however many it asks for.
 */
export class LargeAnswers {
  readonly #client: Pick<Client, "peer">;
  #last: Promise<void> = Promise.resolve();

  constructor(client: Pick<Client, "peer">) {
    this.#client = client;
  }

  /** `afterReply` runs what it is given when the answer is in the outgoing queue. */
  async make<T>(afterReply: (task: () => void) => void, answer: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const done = Promise.withResolvers<void>();
    this.#last = done.promise;
    afterReply(done.resolve);
    await before;
    await this.#client.peer.ready();
    return answer();
  }
}
