/** How long steps may follow each other before input, timers and the network get their turn. */
const SLICE_MS = 10;

/**
 * Makes the steps of many agents take turns with the event loop: a client's message waits for only one step, however
 * many agents there are. Steps run in the order of their requests.
 */
export class FairScheduler {
  readonly #monotonicMs: () => number;
  readonly #later: (work: () => void) => void;
  readonly #waiting: (() => void)[] = [];
  /** Undefined: the event loop has had its turn since the last step. */
  #sliceBeganMs: number | undefined;

  constructor(monotonicMs: () => number, later: (work: () => void) => void) {
    this.#monotonicMs = monotonicMs;
    this.#later = later;
  }

  /** Resolves when it is the caller's turn: at once if little was done since the event loop had its own. */
  turn(): Promise<void> {
    if (this.#sliceBeganMs === undefined) this.#begin();
    const isOver = this.#monotonicMs() - (this.#sliceBeganMs ?? 0) >= SLICE_MS;
    if (this.#waiting.length === 0 && !isOver) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #begin(): void {
    this.#sliceBeganMs = this.#monotonicMs();
    this.#later(() => {
      this.#sliceBeganMs = undefined;
      const next = this.#waiting.shift();
      if (!next) return;
      this.#begin();
      next();
    });
  }
}
