import type { Usage } from "@harness/protocol";
import { tokensOf } from "./message-chars.ts";
import { tokensRead } from "./truncation.ts";

/** Tokens of an agent's next request: the provider's count of the last one, and an estimate of what was added. */
export class TokenMeter {
  #counted: { tokens: number; chars: number } | undefined;

  /** Takes the count that came with a reply. `charsSent` is what the request held, `charsNow` the same with the reply. */
  count(usage: Usage | undefined, charsSent: number, charsNow: number): void {
    const read = tokensRead(usage);
    this.#counted = read === undefined ? undefined : { tokens: read + tokensOf(charsNow - charsSent), chars: charsNow };
  }

  /** The messages were replaced, or not all of them read: the last count says nothing any more. */
  forget(): void {
    this.#counted = undefined;
  }

  used(chars: number): number {
    return this.#counted ? this.#counted.tokens + tokensOf(Math.max(0, chars - this.#counted.chars)) : tokensOf(chars);
  }
}
