import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { RequestJournal, RequestRecord } from "./journal.ts";

/** Releases hanging requests, all at once. */
export class Gate {
  #open = Promise.withResolvers<void>();

  get opened(): Promise<void> {
    return this.#open.promise;
  }

  release(): void {
    this.#open.resolve();
    this.#open = Promise.withResolvers<void>();
  }
}

/**
 * One request and its response. Every wait ends when the client leaves or the server closes; none of the methods
 * throws.
 */
export class HttpExchange {
  readonly record: RequestRecord;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #journal: RequestJournal;
  readonly #gate: Gate;
  readonly #gone = new AbortController();
  #cut = false;

  constructor(
    http: { request: IncomingMessage; response: ServerResponse },
    record: RequestRecord,
    journal: RequestJournal,
    gate: Gate,
  ) {
    this.#request = http.request;
    this.#response = http.response;
    this.record = record;
    this.#journal = journal;
    this.#gate = gate;
    if (this.#response.destroyed) this.#gone.abort();
    this.#response.once("close", () => {
      this.record.lastByteAtMs = performance.now();
      this.record.aborted = !this.#response.writableFinished && !this.#cut;
      this.record.state = "done";
      this.#gone.abort();
      this.#journal.changed();
    });
  }

  /** The client has closed the connection. */
  get gone(): boolean {
    return this.#gone.signal.aborted;
  }

  /** Runs once, when the response has ended in whatever way. */
  onGone(listener: () => void): void {
    if (this.gone) listener();
    else this.#gone.signal.addEventListener("abort", listener, { once: true });
  }

  /** The awaited value, or undefined if the client left before it arrived. */
  async waitFor<Value>(value: Promise<Value>): Promise<Value | undefined> {
    if (this.gone) return undefined;
    this.record.state = "waiting";
    this.#journal.changed();
    const left = Promise.withResolvers<undefined>();
    this.onGone(() => left.resolve(undefined));
    const found = await Promise.race([value, left.promise]);
    if (!this.gone) this.record.state = "open";
    return found;
  }

  start(status: number, headers: Record<string, string>): void {
    if (this.gone) return;
    this.record.status = status;
    this.#response.writeHead(status, headers);
  }

  /** Undefined if it is written. A promise if the socket is full: wait for it. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.gone) return undefined;
    this.record.firstByteAtMs ??= performance.now();
    this.record.sentBytes += bytes.length;
    return this.#response.write(bytes) ? undefined : this.#orGone(once(this.#response, "drain", this.#signal));
  }

  end(): void {
    if (!this.gone) this.#response.end();
  }

  answer(status: number, headers: Record<string, string>, body: string): void {
    const bytes = Buffer.from(body);
    this.start(status, { ...headers, "content-length": String(bytes.length) });
    if (this.gone) return;
    this.record.firstByteAtMs = performance.now();
    // Node itself leaves the body out for HEAD.
    this.record.sentBytes = this.#request.method === "HEAD" ? 0 : bytes.length;
    this.#response.end(bytes);
  }

  async sleep(ms: number): Promise<void> {
    await this.#orGone(sleep(ms, undefined, this.#signal));
  }

  /** Silence until `release()`, with `ping` written periodically if given. */
  async hang(ping?: { bytes: Uint8Array; everyMs: number }): Promise<void> {
    if (this.gone) return;
    if (this.#response.headersSent || ping !== undefined) this.#response.flushHeaders();
    this.record.state = "hanging";
    this.#journal.changed();
    const timer = ping === undefined ? undefined : setInterval(() => void this.write(ping.bytes), ping.everyMs);
    await this.#orGone(Promise.race([this.#gate.opened, once(this.#gone.signal, "abort")]));
    clearInterval(timer);
    // The close handler may have ended the request meanwhile.
    if (!this.gone) this.record.state = "open";
  }

  /** Breaks the connection once everything written has left this process. */
  async cut(how: "reset" | "close"): Promise<void> {
    if (this.gone) return;
    this.#cut = true;
    const socket = this.#request.socket;
    if (this.#response.headersSent) this.#response.flushHeaders();
    // Writes are done in order: the callback of an empty one comes after all others.
    await new Promise((resolve) => socket.write("", resolve));
    // One turn of the event loop: the client's end of the loopback gets what was written before the reset discards it.
    await new Promise((resolve) => setImmediate(resolve));
    if (how === "reset") socket.resetAndDestroy();
    else socket.destroy();
  }

  get #signal(): { signal: AbortSignal } {
    return { signal: this.#gone.signal };
  }

  async #orGone(wait: Promise<unknown>): Promise<void> {
    try {
      await wait;
    } catch (error) {
      if (!this.gone) throw error;
    }
  }
}
