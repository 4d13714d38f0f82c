import { estimateTokens } from "./estimate-tokens.ts";

/** Tokens of an agent's next request: the count of the last one by the provider, plus an estimate of what was added. */
export class TokenMeter {
  #counted: { tokens: number; chars: number } | undefined;

  /**
   * Takes the counted tokens of a request. `charsSent` is what the agent had to send then, `charsNow` the same with the
   * reply.
   */
  count(tokens: number, charsSent: number, charsNow: number): void {
    this.#counted = { tokens: tokens + estimateTokens(charsNow - charsSent), chars: charsNow };
  }

  /** True: a provider has counted, and the rest is estimated. */
  get isCounted(): boolean {
    return this.#counted !== undefined;
  }

  /** Messages became shorter without being read again: the count shrinks with their characters. */
  shrink(charsBefore: number, charsNow: number): void {
    if (!this.#counted || charsBefore <= 0) return;
    const tokens = Math.ceil((this.used(charsBefore) * charsNow) / charsBefore);
    this.#counted = { tokens, chars: charsNow };
  }

  /** Drops the last count, because messages were replaced or not all of them were read. */
  forget(): void {
    this.#counted = undefined;
  }

  used(chars: number): number {
    return this.#counted
      ? this.#counted.tokens + estimateTokens(Math.max(0, chars - this.#counted.chars))
      : estimateTokens(chars);
  }
}
