/** Limits the retries of a turn: an empty reply once, and a request that was too long once, after shortening it. */
export class RetryLimit {
  #emptyReplies = 0;
  #wasShortened = false;

  /** True = ask the model once more. */
  afterEmptyReply(): boolean {
    this.#emptyReplies += 1;
    return this.#emptyReplies === 1;
  }

  /** True = shorten the conversation and send it once more. */
  afterOverflow(): boolean {
    const isFirst = !this.#wasShortened;
    this.#wasShortened = true;
    return isFirst;
  }

  /** A reply came in whole. */
  reset(): void {
    this.#emptyReplies = 0;
    this.#wasShortened = false;
  }
}
