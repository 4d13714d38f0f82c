import type { Clock } from "@harness/gate";

type Sleeper = { wakesAtMs: number; wake: () => void };

/** Time that passes only when a test says so. */
export class ManualClock implements Clock {
  #nowMs: number;
  #passedMs = 0;
  #sleepers: Sleeper[] = [];

  constructor(startIso = "2026-11-21T12:00:00.000Z") {
    this.#nowMs = Date.parse(startIso);
  }

  now(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#passedMs;
  }

  /** The number of callers that wait for time to pass. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 0 || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper: Sleeper = { wakesAtMs: this.#passedMs + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      const stop = () => {
        this.#sleepers = this.#sleepers.filter((each) => each !== sleeper);
        resolve();
      };
      signal?.addEventListener("abort", stop, { once: true });
    });
  }

  advance(ms: number): void {
    this.#nowMs += ms;
    this.#passedMs += ms;
    const due = this.#sleepers.filter((each) => each.wakesAtMs <= this.#passedMs);
    this.#sleepers = this.#sleepers.filter((each) => each.wakesAtMs > this.#passedMs);
    for (const { wake } of due) wake();
  }
}

/** Time that passes as soon as something waits for it. */
export class HurryingClock extends ManualClock {
  override sleep(ms: number): Promise<void> {
    this.advance(Math.max(0, ms));
    return Promise.resolve();
  }
}
