// Two ends of a connection in one process. Messages are copied, not written as text: a change on one side never shows
// on the other, and nothing is encoded.
import type { Channel, ChannelEvents } from "./channel.ts";
import { copyJson } from "./copy-json.ts";

/** An end of a pair: holds what was sent to it until it is delivered, in a later microtask. */
class LinkedEnd {
  #events: ChannelEvents | undefined;
  #inbox: unknown[] = [];
  #isDeliveryDue = false;
  #isInboxClosed = false;
  #delivered: PromiseWithResolvers<void> | undefined;

  start(events: ChannelEvents): void {
    this.#events = events;
    this.#schedule();
  }

  put(message: object): void {
    if (this.#isInboxClosed) return;
    this.#inbox.push(copyJson(message));
    this.#schedule();
  }

  get waiting(): number {
    return this.#inbox.length;
  }

  delivered(): Promise<void> {
    if (this.#inbox.length === 0) return Promise.resolve();
    this.#delivered ??= Promise.withResolvers<void>();
    return this.#delivered.promise;
  }

  /** Nothing more will be put. */
  close(): void {
    if (this.#isInboxClosed) return;
    this.#isInboxClosed = true;
    this.#schedule();
  }

  /** The owner of this end listens no more. */
  abandon(): void {
    this.#events = undefined;
    this.#isInboxClosed = true;
    this.#settle();
  }

  #schedule(): void {
    if (this.#isDeliveryDue || this.#events === undefined) return;
    this.#isDeliveryDue = true;
    void Promise.resolve().then(() => this.#deliver());
  }

  #deliver(): void {
    this.#isDeliveryDue = false;
    const messages = this.#inbox;
    this.#settle();
    for (const message of messages) this.#events?.message(message);
    if (!this.#isInboxClosed || this.#inbox.length > 0) return;
    const events = this.#events;
    this.#events = undefined;
    events?.ended();
  }

  #settle(): void {
    this.#inbox = [];
    this.#delivered?.resolve();
    this.#delivered = undefined;
  }
}

function channelBetween(mine: LinkedEnd, peers: LinkedEnd): Channel {
  return {
    start: (events) => mine.start(events),
    send: (message) => peers.put(message),
    backlog: () => ({ messages: peers.waiting, bytes: 0 }),
    flushed: () => peers.delivered(),
    end: async () => {
      peers.close();
      await peers.delivered();
    },
    destroy: () => {
      mine.abandon();
      peers.close();
    },
  };
}

/** Two channels, each the other's peer. Neither is ever slow, so nothing is merged or dropped. */
export function linkedPair(): readonly [Channel, Channel] {
  const one = new LinkedEnd();
  const other = new LinkedEnd();
  return [channelBetween(one, other), channelBetween(other, one)];
}
