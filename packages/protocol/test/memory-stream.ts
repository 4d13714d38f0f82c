// A byte stream in memory, for tests: a test plays the peer, byte by byte, and decides how fast it reads.
import type { ByteStream, ByteStreamEvents } from "../src/wire/byte-stream.ts";

export class MemoryStream implements ByteStream {
  /** Each write as it came. */
  readonly writes: string[] = [];
  isEnded = false;
  isDestroyed = false;
  #events: ByteStreamEvents | undefined;
  #slow: PromiseWithResolvers<void> | undefined;
  #awaited: Array<{ lines: number; resolve: (lines: string[]) => void }> = [];

  /** The lines written so far, without their LF. */
  get lines(): string[] {
    return this.writes.join("").split("\n").slice(0, -1);
  }

  /** The messages written so far. */
  get messages(): unknown[] {
    return this.lines.map((line): unknown => JSON.parse(line));
  }

  /** Resolves once `count` lines were written, with their messages. */
  async written(count: number): Promise<unknown[]> {
    if (this.lines.length < count) {
      await new Promise<string[]>((resolve) => this.#awaited.push({ lines: count, resolve }));
    }
    return this.messages;
  }

  /** The peer sends something: text in UTF-8, or bytes as they are. */
  receive(data: string | Uint8Array): void {
    this.#events?.data(typeof data === "string" ? new TextEncoder().encode(data) : data);
  }

  /** The peer sends messages, in one chunk. */
  receiveMessages(...messages: unknown[]): void {
    this.receive(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  }

  receiveEnd(): void {
    this.#events?.end();
  }

  fail(error: Error): void {
    this.#events?.error(error);
  }

  /** From now on the peer does not read. */
  stall(): void {
    this.#slow = Promise.withResolvers<void>();
  }

  resume(): void {
    this.#slow?.resolve();
    this.#slow = undefined;
  }

  readonly start = (events: ByteStreamEvents): void => {
    this.#events = events;
  };

  readonly write = (text: string): Promise<void> | undefined => {
    this.writes.push(text);
    const { lines } = this;
    for (const waiting of this.#awaited) if (lines.length >= waiting.lines) waiting.resolve(lines);
    this.#awaited = this.#awaited.filter((waiting) => lines.length < waiting.lines);
    return this.#slow?.promise;
  };

  readonly end = async (): Promise<void> => {
    this.isEnded = true;
  };

  readonly destroy = (): void => {
    this.isDestroyed = true;
  };
}
