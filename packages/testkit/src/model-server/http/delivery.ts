import type { FrameEncoder } from "../story/frame.ts";
import type { HttpExchange } from "./exchange.ts";
import type { SenderStep } from "./faulted-steps.ts";

export interface DeliveryOptions {
  encode: FrameEncoder;
  /** Bytes that a hanging response may send to keep the connection busy. */
  ping: Buffer | undefined;
  bom: boolean;
  splitBytes: number | undefined;
  /** The connection breaks after this many bytes of the body. */
  limit: { bytes: number; how: "reset" | "close" } | undefined;
}

/** Bulk frames share a write up to this size: enough that the server is never the bottleneck. */
const BULK_BYTES = 16_384;

/** Sends the steps of a body. Returns true if all of it was sent, false if it broke off or the client left. */
export async function deliver(
  steps: Iterable<SenderStep>,
  options: DeliveryOptions,
  exchange: HttpExchange,
): Promise<boolean> {
  const writer = new BodyWriter(options, exchange);
  let dueMs = performance.now();
  for (const step of steps) {
    if (exchange.gone || writer.cut) return false;
    if (step.do === "hang") {
      await writer.flush();
      const { ping } = options;
      const everyMs = step.pingEveryMs;
      await exchange.hang(ping === undefined || everyMs === undefined ? undefined : { bytes: ping, everyMs });
      dueMs = performance.now();
    } else if (step.do === "cut") {
      await writer.flush();
      await exchange.cut(step.how);
      return false;
    } else {
      const { frame } = step;
      dueMs += frame.delayMs;
      const earlyMs = frame.delayMs === 0 ? 0 : dueMs - performance.now();
      // Timers are no finer than this; several frames then go out together and the pace is kept.
      if (earlyMs >= 1) {
        await writer.flush();
        await exchange.sleep(earlyMs);
      }
      writer.add(options.encode(frame));
      if (!frame.bulk || writer.waitingBytes >= BULK_BYTES) await writer.flush();
    }
  }
  await writer.flush();
  if (writer.cut) return false;
  if (options.limit !== undefined) {
    await exchange.cut(options.limit.how);
    return false;
  }
  exchange.end();
  return !exchange.gone;
}

class BodyWriter {
  readonly #options: DeliveryOptions;
  readonly #exchange: HttpExchange;
  #waiting: Buffer[];
  waitingBytes = 0;
  #sentBytes = 0;
  /** The byte limit was reached and the connection is broken. */
  cut = false;

  constructor(options: DeliveryOptions, exchange: HttpExchange) {
    this.#options = options;
    this.#exchange = exchange;
    this.#waiting = options.bom ? [Buffer.from("\uFEFF")] : [];
  }

  add(bytes: Buffer): void {
    this.#waiting.push(bytes);
    this.waitingBytes += bytes.length;
  }

  async flush(): Promise<void> {
    if (this.#waiting.length === 0 || this.cut) return;
    const [only] = this.#waiting;
    const all = this.#waiting.length === 1 && only !== undefined ? only : Buffer.concat(this.#waiting);
    this.#waiting = [];
    this.waitingBytes = 0;
    const { limit } = this.#options;
    const allowed = limit === undefined ? all : all.subarray(0, Math.max(0, limit.bytes - this.#sentBytes));
    this.#sentBytes += allowed.length;
    await this.#write(allowed);
    if (limit === undefined || this.#sentBytes < limit.bytes) return;
    this.cut = true;
    await this.#exchange.cut(limit.how);
  }

  async #write(bytes: Buffer): Promise<void> {
    const size = this.#options.splitBytes ?? Math.max(bytes.length, 1);
    for (let at = 0; at < bytes.length && !this.#exchange.gone; at += size) {
      const full = this.#exchange.write(bytes.subarray(at, at + size));
      if (full !== undefined) await full;
    }
  }
}
