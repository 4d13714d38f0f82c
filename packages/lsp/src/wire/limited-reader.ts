import type { Readable } from "node:stream";
import { AbstractMessageReader, type DataCallback, type Disposable, type Message } from "vscode-jsonrpc";
import { type FrameLimits, FrameReader } from "./frame-reader.ts";

/** Generous for what is asked of a server here, and far from what would hurt. */
const LIMITS: FrameLimits = {
  maxBytes: 16_000_000,
  maxWindowBytes: 64_000_000,
  maxWindowMessages: 20_000,
  windowMs: 10_000,
};

/** Messages of a server, within limits. */
export class LimitedReader extends AbstractMessageReader {
  readonly #stream: Readable;
  readonly #onBroken: (why: string) => void;

  constructor(stream: Readable, onBroken: (why: string) => void) {
    super();
    this.#stream = stream;
    this.#onBroken = onBroken;
  }

  listen(callback: DataCallback): Disposable {
    const listener = { onMessage: (message: unknown) => callback(message as Message), onBroken: this.#onBroken };
    const frames = new FrameReader(LIMITS, listener, () => performance.now());
    const onData = (chunk: Buffer) => frames.push(chunk);
    this.#stream.on("data", onData);
    return { dispose: () => this.#stream.off("data", onData) };
  }
}
