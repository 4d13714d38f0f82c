import { canonicalJson } from "../json/canonical-json.ts";

const MAX_PERIOD = 4;
const REPEATS = 3;

/** The end of a call, as far as repetition matters. `isWaiting`: it looked at something that continues by itself. */
type EndedCall = { name: string; args: unknown; text: string; isWaiting?: boolean };

/**
 * Detects a turn that is stuck in a loop: one to four calls, or replies with any number of calls, with the same results
 * three times in a row. Messages in between count like results: the same words again do not count as progress.
 */
export class LoopDetector {
  readonly #calls = new Repetition();
  readonly #replies = new Repetition();
  /** Messages since the last reply. */
  #heard: string[] = [];
  #hasHinted = false;

  /** True the first time: the model gets one hint before the user is asked. */
  takeHint(): boolean {
    const isFirst = !this.#hasHinted;
    this.#hasHinted = true;
    return isFirst;
  }

  /** A message from someone other than the user has joined the conversation. */
  hear(text: string): void {
    const key = `\n${text}`;
    this.#heard.push(key);
    this.#calls.add(key);
  }

  /** News such as a message of the user: counting starts again. */
  restart(): void {
    this.#calls.clear();
    this.#replies.clear();
    this.#heard = [];
  }

  /**
   * Takes the calls of one reply and returns, for each, the period of the cycle whose third round it completes, or 0.
   * Counting then starts again. Identical calls of a reply with the same end count once. A waiting call is progress.
   */
  add<C extends EndedCall>(calls: readonly C[]): { call: C; period: number }[] {
    if (calls.some(({ isWaiting }) => isWaiting)) {
      this.restart();
      return [];
    }
    const distinct = new Map(calls.map((call) => [keyOf(call), call]));
    const periods = [...distinct].map(([key, call]) => {
      this.#calls.add(key);
      return { call, period: this.#calls.period };
    });
    this.#replies.add([...distinct.keys(), ...this.#heard].sort().join("\n"));
    this.#heard = [];
    const { period: ofReplies } = this.#replies;
    if (ofReplies === 0 && periods.every(({ period }) => period === 0)) return periods;
    this.restart();
    return periods.map(({ call, period }) => ({ call, period: period > 0 ? period : ofReplies }));
  }
}

/** The last few of a sequence of keys. */
class Repetition {
  readonly #recent: string[] = [];

  add(key: string): void {
    this.#recent.push(key);
    if (this.#recent.length > MAX_PERIOD * REPEATS) this.#recent.shift();
  }

  clear(): void {
    this.#recent.length = 0;
  }

  /** The number of keys in the cycle at the end of the sequence; 0: no cycle. */
  get period(): number {
    for (let period = 1; period <= MAX_PERIOD; period += 1) if (this.#repeats(period)) return period;
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

function keyOf({ name, args, text }: EndedCall): string {
  return `${name}\n${canonicalJson(args)}\n${text}`;
}
