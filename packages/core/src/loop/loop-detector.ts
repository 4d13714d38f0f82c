import { canonicalJson } from "./canonical-json.ts";

const LONGEST_PERIOD = 4;
const REPEATS = 3;

/** Finds a turn that goes in circles: one to four calls with the same results, three times over. */
export class LoopDetector {
  readonly #recent: string[] = [];

  /** How many calls the cycle has whose third round this call closes; counting then starts anew. 0 = there is none. */
  add(tool: string, args: unknown, result: string): number {
    this.#recent.push(`${tool}\n${canonicalJson(args)}\n${result}`);
    if (this.#recent.length > LONGEST_PERIOD * REPEATS) this.#recent.shift();
    for (let period = 1; period <= LONGEST_PERIOD; period += 1) {
      if (!this.#repeats(period)) continue;
      this.#recent.length = 0;
      return period;
    }
    return 0;
  }

  #repeats(period: number): boolean {
    const start = this.#recent.length - period * REPEATS;
    if (start < 0) return false;
    for (let index = start + period; index < this.#recent.length; index += 1) {
      if (this.#recent[index] !== this.#recent[index - period]) return false;
    }
    return true;
  }
}
