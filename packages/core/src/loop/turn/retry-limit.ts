/** Each shortening makes the request clearly shorter, so a few are enough. */
const MAX_SHORTENINGS = 4;

/**
 * Limits the retries of a turn: once after an empty or an endless reply, and a few times for a request that is too
 * long, as it gets shorter.
 */
export class RetryLimit {
  #emptyReplies = 0;
  #endlessReplies = 0;
  #shortenings = 0;

  /** True: ask the model once more. */
  afterEmptyReply(): boolean {
    this.#emptyReplies += 1;
    return this.#emptyReplies === 1;
  }

  /** The same after a reply that repeated itself. */
  afterEndlessReply(): boolean {
    this.#endlessReplies += 1;
    return this.#endlessReplies === 1;
  }

  /** How often the conversation was shortened for this request. Undefined: too often already. */
  afterOverflow(): number | undefined {
    const before = this.#shortenings;
    this.#shortenings += 1;
    return before < MAX_SHORTENINGS ? before : undefined;
  }

  /** The same after a reply that filled the context window, which may happen again: once. */
  afterFullWindow(): boolean {
    const isFirst = this.#shortenings === 0;
    this.#shortenings = MAX_SHORTENINGS;
    return isFirst;
  }

  /** A complete reply arrived. */
  reset(): void {
    this.#emptyReplies = 0;
    this.#endlessReplies = 0;
    this.#shortenings = 0;
  }
}
