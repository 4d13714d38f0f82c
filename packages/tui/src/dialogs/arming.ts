import type { Clock } from "../state/clock.ts";

/** A question answers to no key until it has been in view for so long … */
const VISIBLE_MS = 200;
/** … and until nobody has typed for so long: a word begun before the question came must not answer it. */
const QUIET_MS = 400;

/** Knows when a key can be meant for a question that has just appeared. */
export class Arming {
  readonly #clock: Clock;
  #typedAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  /** A key went into the composer. */
  typed(): void {
    this.#typedAtMs = this.#clock.now();
  }

  /** Runs `armed` once what is in view from now on may be answered; the answer stops that. */
  whenReady(armed: () => void, quietMs = QUIET_MS): () => void {
    return this.#after(VISIBLE_MS, armed, quietMs);
  }

  /** What came into view then has been there long enough to be read. */
  wasInView(sinceMs: number): boolean {
    return this.#clock.now() - sinceMs >= VISIBLE_MS;
  }

  #after(ms: number, armed: () => void, quietMs: number): () => void {
    let stop = this.#clock.after(ms, () => {
      const quiet = this.#clock.now() - this.#typedAtMs;
      if (quiet >= quietMs) return armed();
      stop = this.#after(quietMs - quiet, armed, quietMs);
    });
    return () => stop();
  }
}
