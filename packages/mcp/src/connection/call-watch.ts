import type { Clock } from "@harness/core";

export type CallLimits = { silentMs: number; totalMs: number };

/** The reason of the abort. */
export class CallTimeoutError extends Error {
  readonly limitMs: number;
  readonly kind: "silent" | "total";

  constructor(kind: "silent" | "total", limitMs: number) {
    super(kind === "silent" ? `no answer within ${limitMs / 1000} s` : `not done within ${limitMs / 1000} s in total`);
    this.kind = kind;
    this.limitMs = limitMs;
  }
}

/**
 * The time of one call: progress restarts the silence, and there is a total limit. It stops while the user is being
 * asked.
 */
export class CallWatch {
  readonly #clock: Clock;
  readonly #limits: CallLimits;
  readonly #aborter = new AbortController();
  readonly #stop = new AbortController();
  readonly #began: number;
  #heardAt: number;
  #paused: number | undefined;
  #questions = 0;
  #stoodStillMs = 0;

  constructor(clock: Clock, limits: CallLimits, signal: AbortSignal) {
    this.#clock = clock;
    this.#limits = limits;
    this.#began = clock.monotonicMs();
    this.#heardAt = this.#began;
    const onAbort = () => this.#aborter.abort(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true, signal: this.#stop.signal });
    if (signal.aborted) onAbort();
    void this.#watch();
  }

  /** Aborts with the caller's signal, or with a `CallTimeoutError`. */
  get signal(): AbortSignal {
    return this.#aborter.signal;
  }

  heard(): void {
    this.#heardAt = this.#clock.monotonicMs();
  }

  async whileAsking<T>(ask: () => Promise<T>): Promise<T> {
    this.#questions += 1;
    this.#paused ??= this.#clock.monotonicMs();
    try {
      return await ask();
    } finally {
      this.#questions -= 1;
      if (this.#questions === 0) {
        this.#stoodStillMs += this.#clock.monotonicMs() - (this.#paused ?? 0);
        this.#paused = undefined;
        this.heard();
      }
    }
  }

  end(): void {
    this.#stop.abort();
  }

  async #watch(): Promise<void> {
    const { silentMs, totalMs } = this.#limits;
    while (!this.#stop.signal.aborted && !this.#aborter.signal.aborted) {
      const now = this.#clock.monotonicMs();
      const silentLeft = this.#heardAt + silentMs - now;
      const totalLeft = this.#began + this.#stoodStillMs + totalMs - now;
      const isAsking = this.#paused !== undefined;
      if (!isAsking && totalLeft <= 0) return this.#aborter.abort(new CallTimeoutError("total", totalMs));
      if (!isAsking && silentLeft <= 0) return this.#aborter.abort(new CallTimeoutError("silent", silentMs));
      await this.#clock.sleep(isAsking ? silentMs : Math.min(silentLeft, totalLeft), this.#stop.signal);
    }
  }
}
