import type { Client } from "./client.ts";

export type LifetimeDeps = {
  clients(): readonly Client[];
  /** True if the client follows a session. */
  follows(client: Client): boolean;
  /** True while something runs, or waits for an answer. */
  hasWork(): boolean;
  later(ms: number, work: () => void): () => void;
  /** Ends the process in order. */
  end(): void;
};

/** How long a server without a client and without work waits for the next one. */
const REST_MS = 10_000;

/**
 * How long a server lives. One that a client has started ends with that client, unless others follow its sessions by
 * then: it ends with the last of these. One that is kept ends once it has no client, and no work.
 */
export class ServerLifetime {
  readonly #deps: LifetimeDeps;
  #restMs = REST_MS;
  #isOwned = true;
  #isKept = false;
  #stopWaiting: (() => void) | undefined;

  constructor(deps: LifetimeDeps) {
    this.#deps = deps;
  }

  /** True if it goes on without a client: what needs an answer waits for one. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** Goes on without a client. `restMs`: how long it waits for work. */
  keep({ restMs = this.#restMs } = {}): void {
    this.#isKept = true;
    this.#restMs = restMs;
    this.look();
  }

  /** True if the server is still needed once this client has gone. */
  staysWithout(client?: Client): boolean {
    return this.#isKept || this.#deps.clients().some((each) => each !== client && this.#deps.follows(each));
  }

  /** The client that started it has gone, or there is none: from now on it ends by itself. */
  release(): void {
    this.#isOwned = false;
    this.look();
  }

  /** Call when a client has come or gone, and when work may have ended. */
  look(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
    if (this.#isOwned || this.#isNeeded()) return;
    this.#stopWaiting = this.#deps.later(this.#isKept ? this.#restMs : 0, () => {
      if (!this.#isNeeded()) this.#deps.end();
    });
  }

  #isNeeded(): boolean {
    if (!this.#isKept) return this.staysWithout();
    return this.#deps.clients().some(({ profile }) => profile !== undefined) || this.#deps.hasWork();
  }
}
