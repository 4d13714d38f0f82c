import { estimateTokens } from "./estimate-tokens.ts";

/** Tokens of an agent's next request: the provider's last count plus an estimate of what was added since. */
export class TokenMeter {
  #counted: { tokens: number; chars: number } | undefined;

  /**
   * Records the provider's count for a request. `charsSent`: what the agent had to send then; `charsNow`: the same plus
   * the reply.
   */
  count(tokens: number, charsSent: number, charsNow: number): void {
    this.#counted = { tokens: tokens + estimateTokens(charsNow - charsSent), chars: charsNow };
  }

  /** True if a provider has counted, so that only the rest is estimated. */
  get isCounted(): boolean {
    return this.#counted !== undefined;
  }

  /** Messages became shorter without a new count: the count shrinks in proportion. */
  shrink(charsBefore: number, charsNow: number): void {
    if (!this.#counted || charsBefore <= 0) return;
    const tokens = Math.ceil((this.used(charsBefore) * charsNow) / charsBefore);
    this.#counted = { tokens, chars: charsNow };
  }

  /** Drops the last count, because messages were replaced or the server did not read all of them. */
  forget(): void {
    this.#counted = undefined;
  }

  used(chars: number): number {
    return this.#counted
      ? this.#counted.tokens + estimateTokens(Math.max(0, chars - this.#counted.chars))
      : estimateTokens(chars);
  }
}
