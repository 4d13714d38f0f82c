import type { Clock } from "@harness/core";

const SLICES = 6;
const LONGEST_SLICE_MS = 15_000;

/**
 * Notices when nothing happens for longer than the limit of the current phase. Time is counted in slices of sleep, each
 * for no more than it asked for: hours in which the machine was suspended count as one slice, not as silence.
 */
export class IdleWatch {
  readonly #clock: Clock;
  readonly #onIdle: (phase: string, limitMs: number) => void;
  readonly #stopped = new AbortController();
  #phase = "";
  #limitMs = Number.POSITIVE_INFINITY;
  #activity = 0;
  #nap = new AbortController();

  constructor(clock: Clock, onIdle: (phase: string, limitMs: number) => void) {
    this.#clock = clock;
    this.#onIdle = onIdle;
  }

  /** Starts a phase: silence counts from now, towards another limit. The first call starts the watch. */
  phase(name: string, limitMs: number): void {
    if (this.#stopped.signal.aborted) return;
    const isFirst = this.#phase === "";
    this.#phase = name;
    this.#limitMs = limitMs;
    this.#activity += 1;
    if (isFirst) void this.#watch();
    else this.#nap.abort();
  }

  /** Something happened. Called for every piece of a stream, so it only counts. */
  touch(): void {
    this.#activity += 1;
  }

  stop(): void {
    this.#stopped.abort();
    this.#nap.abort();
  }

  async #watch(): Promise<void> {
    let seen = this.#activity;
    let silentMs = 0;
    while (!this.#stopped.signal.aborted) {
      this.#nap = new AbortController();
      const slice = Math.min(this.#limitMs / SLICES, LONGEST_SLICE_MS);
      await this.#clock.sleep(slice, this.#nap.signal);
      if (this.#stopped.signal.aborted) return;
      if (this.#activity !== seen) {
        seen = this.#activity;
        silentMs = 0;
        continue;
      }
      silentMs += slice;
      if (silentMs >= this.#limitMs) {
        this.#stopped.abort();
        this.#onIdle(this.#phase, this.#limitMs);
      }
    }
  }
}
