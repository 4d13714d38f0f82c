// Splits a stream of bytes into lines at LF and nowhere else (not at CR, U+2028 or U+2029).

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const firstCapacity = 4 * 1024;

export type LineEvents = {
  /** The bytes between two LF, without one CR before the second. Only valid during the call. */
  readonly line: (bytes: Uint8Array) => void;
  /**
   * A line grew beyond the limit. Called once, immediately; the rest of it up to its LF is skipped without being kept.
   */
  readonly oversize: () => void;
};

/** Visits each byte a constant number of times, whatever the sizes of the chunks. */
export class LineSplitter {
  readonly #events: LineEvents;
  readonly #maxBytes: number;
  #held = new Uint8Array(0);
  #heldLength = 0;
  #isSkipping = false;

  constructor(events: LineEvents, maxBytes: number) {
    this.#events = events;
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): void {
    let from = 0;
    for (;;) {
      const at = chunk.indexOf(lineFeed, from);
      if (at === -1) {
        this.#hold(chunk.subarray(from));
        return;
      }
      this.#finish(chunk.subarray(from, at));
      from = at + 1;
    }
  }

  /** The stream is over: bytes after the last LF count as a line. */
  end(): void {
    this.#finish(new Uint8Array(0));
  }

  #finish(rest: Uint8Array): void {
    if (this.#isSkipping) {
      this.#isSkipping = false;
      return;
    }
    let line = rest;
    if (this.#heldLength > 0) {
      this.#hold(rest);
      line = this.#held.subarray(0, this.#heldLength);
      this.#heldLength = 0;
      if (this.#isSkipping) {
        this.#isSkipping = false;
        return;
      }
    } else if (rest.length > this.#maxBytes) {
      this.#events.oversize();
      return;
    }
    const end = line.at(-1) === carriageReturn ? line.length - 1 : line.length;
    this.#events.line(line.subarray(0, end));
    // A rare huge line does not keep its memory for the life of the connection.
    if (this.#held.length > 1024 * 1024 && this.#heldLength === 0) this.#held = new Uint8Array(0);
  }

  #hold(bytes: Uint8Array): void {
    if (this.#isSkipping || bytes.length === 0) return;
    const length = this.#heldLength + bytes.length;
    if (length > this.#maxBytes) {
      this.#isSkipping = true;
      this.#held = new Uint8Array(0);
      this.#heldLength = 0;
      this.#events.oversize();
      return;
    }
    if (length > this.#held.length) {
      const roomy = Math.min(this.#maxBytes, Math.max(this.#held.length * 2, firstCapacity));
      const grown = new Uint8Array(Math.max(length, roomy));
      grown.set(this.#held.subarray(0, this.#heldLength));
      this.#held = grown;
    }
    this.#held.set(bytes, this.#heldLength);
    this.#heldLength = length;
  }
}
