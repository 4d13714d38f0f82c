import type { Clock } from "@harness/core";

const SLICES = 6;
const MAX_SLICE_MS = 15_000;

export type IdleLimits = {
  /** Called once: with the phase in which nothing happened, or `total` after more than `totalMs`. */
  onIdle(phase: string, limitMs: number): void;
  totalMs?: number;
};

/**
 * Notices if nothing happens for longer than the current phase allows, or if the whole never ends. Time is counted in
 * slices of sleep, each for at most the requested length, so that hours of machine suspension count as one slice and
 * not as silence.
 */
export class IdleWatch {
  readonly #clock: Clock;
  readonly #onIdle: (phase: string, limitMs: number) => void;
  readonly #totalMs: number;
  #isStopped = false;
  #phase = "";
  #limitMs = Number.POSITIVE_INFINITY;
  #activity = 0;
  #nap = new AbortController();
  #napMs = 0;

  constructor(clock: Clock, { onIdle, totalMs = Number.POSITIVE_INFINITY }: IdleLimits) {
    this.#clock = clock;
    this.#onIdle = onIdle;
    this.#totalMs = totalMs;
  }

  /** Starts a phase: silence counts from now, towards a new limit. The first call starts the watch. */
  phase(name: string, limitMs: number): void {
    if (this.#isStopped) return;
    const isFirst = this.#phase === "";
    this.#phase = name;
    this.#limitMs = limitMs;
    this.#activity += 1;
    if (isFirst) void this.#watch();
    // A nap no longer than those of the new phase notices in time that it has begun.
    else if (this.#slice() < this.#napMs) this.#wake();
  }

  /** Records activity. Called for every piece of a stream, so it only counts. */
  touch(): void {
    this.#activity += 1;
  }

  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }

  #slice(): number {
    return Math.min(this.#limitMs / SLICES, MAX_SLICE_MS);
  }

  #wake(): void {
    // Passes a reason because the platform would otherwise build an error with a stack each time.
    this.#nap.abort("over");
  }

  async #watch(): Promise<void> {
    let seen = this.#activity;
    let silentMs = 0;
    let passedMs = 0;
    while (!this.#isStopped) {
      this.#nap = new AbortController();
      const slice = this.#slice();
      this.#napMs = slice;
      await this.#clock.sleep(slice, this.#nap.signal);
      if (this.#isStopped) return;
      // A nap cut short by a new phase is not counted: there are few of them.
      if (!this.#nap.signal.aborted) passedMs += slice;
      if (passedMs >= this.#totalMs) return this.#end("total", this.#totalMs);
      if (this.#activity !== seen) {
        seen = this.#activity;
        silentMs = 0;
        continue;
      }
      silentMs += slice;
      if (silentMs >= this.#limitMs) return this.#end(this.#phase, this.#limitMs);
    }
  }

  #end(phase: string, limitMs: number): void {
    this.#isStopped = true;
    this.#onIdle(phase, limitMs);
  }
}
