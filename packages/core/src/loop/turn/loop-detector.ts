import { canonicalJson } from "../json/canonical-json.ts";

const MAX_PERIOD = 4;
const REPEATS = 3;

/** Detects a turn that goes in circles: one to four calls with the same results, three times in a row. */
export class LoopDetector {
  readonly #recent: string[] = [];
  #hasHinted = false;

  /** True the first time: the model is given one hint before a person is asked. */
  takeHint(): boolean {
    const isFirst = !this.#hasHinted;
    this.#hasHinted = true;
    return isFirst;
  }

  /**
   * Takes the calls of one reply and returns, for each, the period of the cycle whose third round it completes, or 0.
   * Counting then starts again. Calls that a reply repeats with the same end count once.
   */
  add<C extends { name: string; args: unknown; text: string }>(calls: readonly C[]): { call: C; period: number }[] {
    const distinct = new Map(calls.map((call) => [keyOf(call), call]));
    return [...distinct].map(([key, call]) => ({ call, period: this.#addKey(key) }));
  }

  #addKey(key: string): number {
    this.#recent.push(key);
    if (this.#recent.length > MAX_PERIOD * REPEATS) this.#recent.shift();
    for (let period = 1; period <= MAX_PERIOD; period += 1) {
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

function keyOf({ name, args, text }: { name: string; args: unknown; text: string }): string {
  return `${name}\n${canonicalJson(args)}\n${text}`;
}
