// What goes out of a connection: batched while the peer keeps up, merged and dropped (where allowed) while it does not.

import type { NotifyOptions } from "../methods/table.ts";
import type { Backlog } from "./channel.ts";

/** Text of this size is worth a write of its own; smaller messages of one tick share one. */
const batchLength = 64 * 1024;

export type WriteQueueLimits = {
  /** From here on droppable messages are dropped. Counted in UTF-16 units of the JSON text. */
  readonly maxQueuedBytes: number;
  readonly maxQueuedMessages: number;
};

export type WriteQueuePorts = {
  /** As `write` of a byte stream. */
  readonly write: (text: string) => Promise<void> | undefined;
  /** One message as one line. Throws a TypeError when JSON cannot say it. */
  readonly encode: (message: object) => string;
  readonly lagged: (dropped: number) => void;
};

type Mergeable = { readonly method?: unknown; readonly params?: unknown };

type Entry = {
  /** Kept while something may be merged into it. */
  message: object | undefined;
  /** Empty once something was merged: the message is then encoded when it is written. */
  text: string;
  length: number;
};

/**
 * Requests, answers and facts are never dropped. A droppable message waiting for a slow peer takes up later ones of its
 * `mergeKey` as long as nothing undroppable came between. At the high-water mark droppable ones are dropped, until all
 * that waits has left; then `lagged` is told once how many it were.
 */
export class WriteQueue {
  readonly #ports: WriteQueuePorts;
  readonly #limits: WriteQueueLimits;
  #entries: Entry[] = [];
  #head = 0;
  #length = 0;
  #isSlow = false;
  #isFlushDue = false;
  #isStopped = false;
  #dropped = 0;
  #open = new Map<string, Entry>();
  #flushed: PromiseWithResolvers<void> | undefined;

  constructor(ports: WriteQueuePorts, limits: WriteQueueLimits) {
    this.#ports = ports;
    this.#limits = limits;
  }

  get backlog(): Backlog {
    return { messages: this.#entries.length - this.#head, bytes: this.#length };
  }

  push(message: object, options?: NotifyOptions): void {
    if (this.#isStopped) return;
    const text = this.#ports.encode(message);
    if (!options?.droppable) {
      this.#append({ message: undefined, text, length: text.length });
      this.#open.clear();
      return;
    }
    if (!this.#isSlow) {
      this.#append({ message: undefined, text, length: text.length });
      return;
    }
    if (this.#merge(message, text.length, options)) return;
    if (this.#dropped > 0 || this.#isFull()) {
      this.#dropped++;
      return;
    }
    const entry = { message, text, length: text.length };
    this.#append(entry);
    if (options.mergeKey !== undefined) this.#open.set(options.mergeKey, entry);
  }

  /** Resolves when nothing waits here any more. */
  flushed(): Promise<void> {
    if (this.#isStopped || this.#entries.length === this.#head) return Promise.resolve();
    this.#flushed ??= Promise.withResolvers<void>();
    return this.#flushed.promise;
  }

  /** Forgets what waits and takes nothing more. */
  stop(): void {
    this.#isStopped = true;
    this.#clear();
  }

  #isFull(): boolean {
    const { messages, bytes } = this.backlog;
    return messages >= this.#limits.maxQueuedMessages || bytes >= this.#limits.maxQueuedBytes;
  }

  #merge(message: Mergeable, length: number, { mergeKey, merge }: NotifyOptions): boolean {
    // While messages are being dropped there is a gap, and what follows a gap must not be joined to what precedes it.
    if (mergeKey === undefined || merge === undefined || this.#dropped > 0) return false;
    if (this.#length >= this.#limits.maxQueuedBytes) return false;
    const entry = this.#open.get(mergeKey);
    const older: Mergeable | undefined = entry?.message;
    if (entry === undefined || older === undefined || older.method !== message.method) return false;
    const params = merge(older.params, message.params);
    if (params === undefined) return false;
    entry.message = { ...older, params };
    entry.text = "";
    entry.length += length;
    this.#length += length;
    return true;
  }

  #append(entry: Entry): void {
    this.#entries.push(entry);
    this.#length += entry.length;
    if (this.#isSlow) return;
    if (this.#length >= batchLength) {
      this.#flush();
    } else if (!this.#isFlushDue) {
      this.#isFlushDue = true;
      void Promise.resolve().then(() => {
        this.#isFlushDue = false;
        this.#flush();
      });
    }
  }

  #flush(): void {
    while (!this.#isSlow && this.#head < this.#entries.length) {
      const slow = this.#ports.write(this.#nextBatch());
      if (slow === undefined) continue;
      this.#isSlow = true;
      const goOn = () => {
        this.#isSlow = false;
        this.#flush();
      };
      // A failed write is told by the stream itself, which then stops this queue.
      slow.then(goOn, () => this.stop());
    }
    if (this.#isSlow || this.#isStopped) return;
    this.#clear();
    const dropped = this.#dropped;
    this.#dropped = 0;
    if (dropped > 0) this.#ports.lagged(dropped);
  }

  #nextBatch(): string {
    let batch = "";
    while (batch.length < batchLength) {
      const entry = this.#entries[this.#head];
      if (entry === undefined) break;
      batch += entry.message === undefined || entry.text !== "" ? entry.text : this.#ports.encode(entry.message);
      this.#length -= entry.length;
      this.#head++;
    }
    this.#open.clear();
    if (this.#head > 1024 && this.#head * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head);
      this.#head = 0;
    }
    return batch;
  }

  #clear(): void {
    this.#entries = [];
    this.#head = 0;
    this.#length = 0;
    this.#open.clear();
    this.#flushed?.resolve();
    this.#flushed = undefined;
  }
}
