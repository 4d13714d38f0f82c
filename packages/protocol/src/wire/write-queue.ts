// Outgoing messages: batched while the peer keeps up, dropped (where allowed) while it does not.
import type { NotifyOptions } from "../methods/table.ts";
import { partsOf } from "./message-parts.ts";

/** Text of this size gets a write of its own; smaller messages of one tick share one. */
const BATCH_LENGTH = 64 * 1024;

export type WriteQueueLimits = {
  /** Above this, droppable messages are dropped. Counted in UTF-16 units of the JSON text. */
  readonly maxQueuedBytes: number;
  readonly maxQueuedMessages: number;
};

export type WriteQueuePorts = {
  /** Like `write` of a byte stream. */
  readonly write: (text: string) => Promise<void> | undefined;
  readonly lagged: (dropped: number) => void;
};

// JSON.stringify writes a lone surrogate as such an escape, and many JSON readers refuse the whole line for it.
const loneSurrogate = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** The JSON text of a message. Lone surrogates become U+FFFD. Throws a TypeError if JSON cannot express it. */
export function encodeMessage(message: object): string {
  const text = JSON.stringify(message);
  return text.includes("\\ud") ? text.replace(loneSurrogate, "$1\ufffd") : text;
}

/**
 * Requests, responses and facts are never dropped. At the high-water mark droppable messages are, until the queue is
 * empty; then `lagged` is called once with their number.
 */
export class WriteQueue {
  readonly #ports: WriteQueuePorts;
  readonly #limits: WriteQueueLimits;
  #messages: string[] = [];
  /** Messages before this one have been sent. */
  #head = 0;
  /** Parts of the first message that have been sent. */
  #sentParts = 0;
  #length = 0;
  #isSlow = false;
  #isFlushDue = false;
  #isStopped = false;
  #dropped = 0;
  #flushed: PromiseWithResolvers<void> | undefined;

  constructor(ports: WriteQueuePorts, limits: WriteQueueLimits) {
    this.#ports = ports;
    this.#limits = limits;
  }

  push(message: object, { droppable = false }: NotifyOptions = {}): void {
    if (this.#isStopped) return;
    if (droppable && this.#isSlow && (this.#dropped > 0 || this.#isFull)) {
      this.#dropped++;
      return;
    }
    const text = encodeMessage(message);
    this.#messages.push(text);
    this.#length += text.length + 1;
    if (this.#isSlow) return;
    if (this.#length >= BATCH_LENGTH) {
      this.#flush();
    } else if (!this.#isFlushDue) {
      this.#isFlushDue = true;
      void Promise.resolve().then(() => {
        this.#isFlushDue = false;
        this.#flush();
      });
    }
  }

  /** Resolves when the queue is empty; undefined while the peer keeps up: below the high-water mark, and below `most`. */
  ready(most = Number.POSITIVE_INFINITY): Promise<void> | undefined {
    return this.#isFull || this.#length >= most ? this.flushed() : undefined;
  }

  /** Resolves when the queue is empty. */
  flushed(): Promise<void> {
    if (this.#isStopped || this.#messages.length === this.#head) return Promise.resolve();
    this.#flushed ??= Promise.withResolvers<void>();
    return this.#flushed.promise;
  }

  /** Discards queued messages and accepts no more. */
  stop(): void {
    this.#isStopped = true;
    this.#clear();
  }

  get #isFull(): boolean {
    const { maxQueuedMessages, maxQueuedBytes } = this.#limits;
    return this.#messages.length - this.#head >= maxQueuedMessages || this.#length >= maxQueuedBytes;
  }

  #flush(): void {
    while (!this.#isSlow && this.#head < this.#messages.length) {
      const slow = this.#ports.write(this.#nextBatch());
      if (slow === undefined) continue;
      this.#isSlow = true;
      const resume = () => {
        this.#isSlow = false;
        this.#flush();
      };
      // The stream reports a failed write itself and then stops this queue.
      slow.then(resume, () => this.stop());
    }
    if (this.#isSlow || this.#isStopped) return;
    this.#clear();
    const dropped = this.#dropped;
    this.#dropped = 0;
    if (dropped > 0) this.#ports.lagged(dropped);
  }

  #nextBatch(): string {
    let batch = "";
    while (batch.length < BATCH_LENGTH && this.#head < this.#messages.length) {
      const text = this.#messages[this.#head] ?? "";
      const parts = partsOf(text);
      batch += `${parts ? parts.line(this.#sentParts) : text}\n`;
      this.#sentParts += 1;
      if (parts && this.#sentParts < parts.count) continue;
      this.#sentParts = 0;
      this.#messages[this.#head] = "";
      this.#head += 1;
      this.#length -= text.length + 1;
    }
    if (this.#head > 1024 && this.#head * 2 > this.#messages.length) {
      this.#messages = this.#messages.slice(this.#head);
      this.#head = 0;
    }
    return batch;
  }

  #clear(): void {
    this.#messages = [];
    this.#sentParts = 0;
    this.#head = 0;
    this.#length = 0;
    this.#flushed?.resolve();
    this.#flushed = undefined;
  }
}
