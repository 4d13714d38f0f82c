import type { Clock } from "@harness/core";

/** The real time, for tests in which nothing waits. */
export const realClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(end, ms);
      if (signal?.aborted) end();
      else signal?.addEventListener("abort", end, { once: true });
    }),
};

/** Time in which sleep is over at once; it remembers how long it would have been. */
export class InstantClock implements Clock {
  readonly slept: number[] = [];
  readonly #startedAt: number;
  #elapsedMs = 0;

  constructor(startedAt: string) {
    this.#startedAt = Date.parse(startedAt);
  }

  now(): number {
    return this.#startedAt + this.#elapsedMs;
  }

  monotonicMs(): number {
    return this.#elapsedMs;
  }

  pass(ms: number): void {
    this.#elapsedMs += ms;
  }

  async sleep(ms: number): Promise<void> {
    this.slept.push(ms);
    this.pass(ms);
  }
}

type Sleeper = { dueMs: number; wake: () => void };

/** Time that passes when the test says so. */
export class ManualClock implements Clock {
  #nowMs = 0;
  #sleepers: Sleeper[] = [];
  #arrivals: (() => void)[] = [];

  now(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const sleeper = { dueMs: this.#nowMs + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      signal?.addEventListener("abort", () => {
        this.#sleepers = this.#sleepers.filter((each) => each !== sleeper);
        resolve();
      });
      for (const arrived of this.#arrivals.splice(0)) arrived();
    });
  }

  /** Resolves when anybody sleeps. */
  async asleep(): Promise<void> {
    if (this.#sleepers.length === 0) await new Promise<void>((resolve) => this.#arrivals.push(resolve));
  }

  /** Moves to the end of the next sleep, until so much time has passed. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      // A caller that was woken may sleep again.
      await new Promise((resolve) => setImmediate(resolve));
      const next = this.#sleepers.filter((each) => each.dueMs <= untilMs).sort((a, b) => a.dueMs - b.dueMs)[0];
      if (!next) break;
      this.#sleepers = this.#sleepers.filter((each) => each !== next);
      this.#nowMs = next.dueMs;
      next.wake();
    }
    this.#nowMs = untilMs;
  }
}
