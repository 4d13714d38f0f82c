import type { Writable } from "node:stream";
import { AbstractMessageWriter, type Message } from "vscode-jsonrpc";

/** A server that does not read lets no more than this wait for it. */
const MAX_WAITING_BYTES = 64_000_000;

/** Writes messages for a server (`Content-Length`), in their order. */
export class FrameWriter extends AbstractMessageWriter {
  readonly #stream: Writable;
  readonly #onFull: () => void;

  constructor(stream: Writable, onFull: () => void) {
    super();
    this.#stream = stream;
    this.#onFull = onFull;
  }

  async write(message: Message): Promise<void> {
    const body = Buffer.from(JSON.stringify(message));
    if (!this.#stream.writable) return;
    this.#stream.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.#stream.write(body);
    if (this.#stream.writableLength > MAX_WAITING_BYTES) this.#onFull();
  }

  end(): void {
    this.#stream.end();
  }
}
