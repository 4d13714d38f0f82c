import type { Usage } from "@harness/protocol";
import { tokensOf } from "./message-chars.ts";

/** A count far below the estimate, of a request this long, means that the server read only a part of it. */
const ALARM_FROM_TOKENS = 4_096;

/** Tokens of an agent's next request: the provider's count of the last one, and an estimate of what was added. */
export class TokenMeter {
  #counted: { tokens: number; chars: number } | undefined;

  /**
   * Takes the count that came with a reply. `charsSent` is what the request held, `charsNow` the same with the reply.
   * Answers false when the count cannot be that of the request: the server cut it.
   */
  count(usage: Usage | undefined, charsSent: number, charsNow: number): boolean {
    const input = total(usage?.inputTokens, usage?.cacheReadTokens, usage?.cacheWriteTokens);
    const estimate = tokensOf(charsSent);
    if (input !== undefined && estimate >= ALARM_FROM_TOKENS && input * 2 < estimate) {
      this.#counted = undefined;
      return false;
    }
    const sent = sane(usage?.inputTokens);
    // Cached tokens are part of the input for some vendors and beside it for others: the larger reading is the safe one.
    const read = sent === undefined || sent * 2 >= estimate ? sent : input;
    if (read === undefined) this.#counted = undefined;
    else this.#counted = { tokens: read + tokensOf(charsNow - charsSent), chars: charsNow };
    return true;
  }

  /** The messages were replaced: the last count says nothing any more. */
  forget(): void {
    this.#counted = undefined;
  }

  used(chars: number): number {
    return this.#counted ? this.#counted.tokens + tokensOf(Math.max(0, chars - this.#counted.chars)) : tokensOf(chars);
  }
}

function sane(tokens: number | undefined): number | undefined {
  return tokens !== undefined && Number.isFinite(tokens) && tokens > 0 ? tokens : undefined;
}

function total(...counts: (number | undefined)[]): number | undefined {
  const known = counts.map(sane).filter((each) => each !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, each) => sum + each, 0);
}

/** The sum of two reports; a field that neither had stays absent, and what is no number is left out. */
export function addUsage(sum: Usage, more: Usage | undefined): Usage {
  const result: Usage = { ...sum };
  for (const key of [
    "inputTokens",
    "outputTokens",
    "cacheReadTokens",
    "cacheWriteTokens",
    "reasoningTokens",
  ] as const) {
    const tokens = more?.[key];
    if (tokens !== undefined && Number.isFinite(tokens) && tokens >= 0) result[key] = (result[key] ?? 0) + tokens;
  }
  return result;
}
