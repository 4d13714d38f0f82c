const HEADER_END = Buffer.from("\r\n\r\n");
/** A header has two short lines. */
const MAX_HEADER = 4_096;

/** Limits of what a server may send. */
export type FrameLimits = {
  /** Of one message. */
  readonly maxBytes: number;
  /** Of all messages in `windowMs`. */
  readonly maxWindowBytes: number;
  readonly maxWindowMessages: number;
  readonly windowMs: number;
};

/** `onBroken`: nothing more is read; the end of a sentence about the server. */
type FrameListener = { onMessage(message: unknown): void; onBroken(why: string): void };

/** Cuts the bytes of a server into messages (`Content-Length`), and stops at one that is too large or too many. */
export class FrameReader {
  readonly #limits: FrameLimits;
  readonly #listener: FrameListener;
  readonly #monotonicMs: () => number;
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Of the message that is being read; undefined: its header is. */
  #wanted: number | undefined;
  #isBroken = false;
  #window = { sinceMs: 0, bytes: 0, messages: 0 };

  constructor(limits: FrameLimits, listener: FrameListener, monotonicMs: () => number) {
    this.#limits = limits;
    this.#listener = listener;
    this.#monotonicMs = monotonicMs;
  }

  push(chunk: Buffer): void {
    if (this.#isBroken) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (!this.#mayPass(chunk.length)) return;
    while (this.#next());
  }

  /** Reads one message if it is whole. */
  #next(): boolean {
    if (this.#isBroken) return false;
    this.#wanted ??= this.#header();
    if (this.#wanted === undefined || this.#bytes < this.#wanted) return false;
    const all = this.#joined();
    const body = all.subarray(0, this.#wanted);
    this.#keep(all.subarray(this.#wanted));
    this.#wanted = undefined;
    this.#window.messages += 1;
    if (this.#window.messages > this.#limits.maxWindowMessages) return this.#break("sent more messages than are read");
    const message = parsed(body);
    if (message === undefined) return this.#break("sent a message that is not JSON");
    this.#listener.onMessage(message);
    return true;
  }

  #header(): number | undefined {
    if (this.#bytes === 0) return undefined;
    const all = this.#joined();
    const end = all.subarray(0, MAX_HEADER).indexOf(HEADER_END);
    if (end < 0) {
      if (all.length >= MAX_HEADER) this.#break("sent something that is no message");
      return undefined;
    }
    const length = Number(/^content-length: *(\d{1,15}) *$/im.exec(all.toString("latin1", 0, end))?.[1] ?? Number.NaN);
    if (Number.isNaN(length)) this.#break("sent a message without its length");
    else if (length > this.#limits.maxBytes) this.#break(`sent a message of ${megabytes(length)}`);
    if (this.#isBroken) return undefined;
    this.#keep(all.subarray(end + HEADER_END.length));
    return length;
  }

  #mayPass(bytes: number): boolean {
    const now = this.#monotonicMs();
    if (now - this.#window.sinceMs > this.#limits.windowMs) this.#window = { sinceMs: now, bytes: 0, messages: 0 };
    this.#window.bytes += bytes;
    if (this.#window.bytes <= this.#limits.maxWindowBytes) return true;
    return this.#break("sent more than is read");
  }

  #break(why: string): false {
    if (this.#isBroken) return false;
    this.#isBroken = true;
    this.#chunks = [];
    this.#listener.onBroken(why);
    return false;
  }

  #joined(): Buffer {
    const all = this.#chunks.length === 1 ? (this.#chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }

  #keep(rest: Buffer): void {
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#bytes = rest.length;
  }
}

function parsed(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(body.toString("utf8"));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function megabytes(bytes: number): string {
  return `${Math.max(1, Math.round(bytes / 1_000_000))} MB`;
}
