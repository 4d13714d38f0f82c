// Two ends of a connection in one process. Messages are copied, not serialized: a change on one side never shows on the
// other, and nothing is encoded.
import type { Channel, ChannelEvents } from "./channel.ts";
import { copyJson } from "./copy-json.ts";

/** One end of a pair: keeps what was sent to it until it is delivered, in a later microtask. */
class LinkedEnd {
  #events: ChannelEvents | undefined;
  #waiting: unknown[] = [];
  #isDeliveryDue = false;
  #isClosed = false;
  #delivered: PromiseWithResolvers<void> | undefined;

  start(events: ChannelEvents): void {
    this.#events = events;
    this.#schedule();
  }

  put(message: object): void {
    if (this.#isClosed) return;
    this.#waiting.push(copyJson(message));
    this.#schedule();
  }

  /** Nothing more will be put; resolves when all of it is delivered. */
  close(): Promise<void> {
    if (!this.#isClosed) this.#schedule();
    this.#isClosed = true;
    if (this.#waiting.length === 0) return Promise.resolve();
    this.#delivered ??= Promise.withResolvers<void>();
    return this.#delivered.promise;
  }

  /** The owner of this end no longer listens. */
  abandon(): void {
    this.#events = undefined;
    this.#isClosed = true;
    this.#empty();
  }

  #schedule(): void {
    if (this.#isDeliveryDue || this.#events === undefined) return;
    this.#isDeliveryDue = true;
    void Promise.resolve().then(() => this.#deliver());
  }

  #deliver(): void {
    this.#isDeliveryDue = false;
    for (const message of this.#empty()) this.#events?.message(message);
    if (!this.#isClosed || this.#waiting.length > 0) return;
    const events = this.#events;
    this.#events = undefined;
    events?.ended();
  }

  #empty(): unknown[] {
    const messages = this.#waiting;
    this.#waiting = [];
    this.#delivered?.resolve();
    this.#delivered = undefined;
    return messages;
  }
}

function channelBetween(mine: LinkedEnd, peers: LinkedEnd): Channel {
  return {
    isLinked: true,
    start: (events) => mine.start(events),
    send: (message) => peers.put(message),
    ready: () => undefined,
    end: () => peers.close(),
    destroy: () => {
      mine.abandon();
      void peers.close();
    },
  };
}

/** Two channels, each the other's peer. Neither is ever slow, so nothing is dropped. */
export function linkedPair(): readonly [Channel, Channel] {
  const one = new LinkedEnd();
  const other = new LinkedEnd();
  return [channelBetween(one, other), channelBetween(other, one)];
}
