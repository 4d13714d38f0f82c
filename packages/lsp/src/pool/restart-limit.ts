import type { Clock } from "@harness/gate";

/** After the first failure, the second, the third; after one more it is over. */
const DELAYS_MS = [1_000, 10_000, 60_000];
/** A server that ran as long was sound. */
const SOUND_MS = 5 * 60_000;

/** When a server that has failed may be started again. */
export class RestartLimit {
  readonly #clock: Clock;
  #failures = 0;
  #startedMs = 0;
  #notBeforeMs = 0;
  #problem: string | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Why it last ended, as the end of a sentence; undefined if it never has. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get isOver(): boolean {
    return this.#failures > DELAYS_MS.length;
  }

  get mayStart(): boolean {
    return !this.isOver && this.#clock.monotonicMs() >= this.#notBeforeMs;
  }

  /** The end of a sentence about the server. */
  get words(): string {
    const problem = this.#problem ?? "is not running";
    return this.isOver ? `${problem}; it is not started again` : problem;
  }

  noteStart(): void {
    this.#startedMs = this.#clock.monotonicMs();
  }

  noteEnd(problem: string): void {
    const now = this.#clock.monotonicMs();
    if (this.#startedMs > 0 && now - this.#startedMs > SOUND_MS) this.#failures = 0;
    this.#startedMs = 0;
    this.#problem = problem;
    this.#notBeforeMs = now + (DELAYS_MS[this.#failures] ?? 0);
    this.#failures += 1;
  }
}
