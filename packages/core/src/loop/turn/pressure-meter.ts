import type { Pressure } from "@harness/protocol";
import { measurePressure, usableTokens } from "../../context/tokens/usable-tokens.ts";

/** How far usage must fall below a threshold before the user is warned again, as a share of the usable window. */
const FALL_SHARE = 0.05;
const LEVELS: readonly Pressure[] = ["none", "warn", "critical"];
/** A failed compaction is tried again after this fraction (1/n) of the usable window was added. */
const PARTS_BETWEEN_COMPACTIONS = 20;
/** The same for a search for results to shorten. */
const PARTS_BETWEEN_STEPS = 50;

/** The fill level of an agent's context window at the last warning, and when it may be compacted again. */
export class PressureMeter {
  #announced: Pressure = "none";
  #compactFrom = 0;
  #shrinkFrom = 0;

  /** Records how full the window is; returns a level that was not announced yet. */
  announce(usedTokens: number, contextWindow: number): Pressure | undefined {
    const now = measurePressure(usedTokens, contextWindow);
    if (LEVELS.indexOf(now) > LEVELS.indexOf(this.#announced)) {
      this.#announced = now;
      return now;
    }
    // Counts and estimates differ a little: a level ends when usage is clearly below it.
    const almost = measurePressure(usedTokens + usableTokens(contextWindow) * FALL_SHARE, contextWindow);
    if (LEVELS.indexOf(almost) < LEVELS.indexOf(this.#announced)) this.#announced = almost;
    return undefined;
  }

  mayCompact(usedTokens: number): boolean {
    return usedTokens >= this.#compactFrom;
  }

  /** Not before every request: each attempt costs a request. */
  postponeCompaction(usedTokens: number, contextWindow: number): void {
    this.#compactFrom = usedTokens + Math.ceil(usableTokens(contextWindow) / PARTS_BETWEEN_COMPACTIONS);
  }

  mayShrink(usedTokens: number): boolean {
    return usedTokens >= this.#shrinkFrom;
  }

  /** More can be shortened only once the conversation has grown. */
  postponeShrinking(usedTokens: number, contextWindow: number): void {
    this.#shrinkFrom = usedTokens + Math.ceil(usableTokens(contextWindow) / PARTS_BETWEEN_STEPS);
  }

  reset(): void {
    this.#announced = "none";
    this.#compactFrom = 0;
    this.#shrinkFrom = 0;
  }
}
