import type { Client } from "./client.ts";

/**
 * Creates large answers for one client one at a time, each after the client has taken the previous one: a client that
 * does not read occupies memory for a single one, however many it requests.
 */
export class LargeAnswers {
  readonly #client: Pick<Client, "peer">;
  #last: Promise<void> = Promise.resolve();

  constructor(client: Pick<Client, "peer">) {
    this.#client = client;
  }

  /** `afterReply` runs its task when the answer is in the outgoing queue. */
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
