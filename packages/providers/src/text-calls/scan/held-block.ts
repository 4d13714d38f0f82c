import { anyOf, skipSpace } from "../calls/text-call.ts";

/** Characters that continue a block after its end: the next block, a stop word, a fence, a separator. */
const GOES_ON = "<[{`;";
const MAX_CLOSER = 40;

/** A block of markup that is held back while it streams. Visits each character once. */
export class HeldBlock {
  readonly #closer: RegExp | undefined;
  readonly #pieces: string[] = [];
  /** The last characters, in which a closing mark may have begun. */
  #tail = "";
  #isClosed = false;
  length = 0;

  constructor(closers: readonly string[]) {
    this.#closer = closers.length > 0 ? new RegExp(anyOf(closers), "g") : undefined;
  }

  /**
   * Returns false if prose follows the block: then it was an example rather than a call. Closing marks are searched for
   * after `from`.
   */
  add(delta: string, from = 0): boolean {
    this.#pieces.push(delta);
    this.length += delta.length;
    if (!this.#closer) return true;
    const text = this.#tail + delta;
    let at = from;
    for (;;) {
      if (this.#isClosed) {
        at = skipSpace(text, at);
        if (at >= text.length) {
          this.#tail = "";
          return true;
        }
        if (!GOES_ON.includes(text.charAt(at))) return false;
        this.#isClosed = false;
      }
      this.#closer.lastIndex = at;
      if (!this.#closer.test(text)) {
        this.#tail = text.slice(Math.max(at, text.length - MAX_CLOSER));
        return true;
      }
      at = this.#closer.lastIndex;
      this.#isClosed = true;
    }
  }

  whole(): string {
    return this.#pieces.join("");
  }
}
