/** Monotonic milliseconds, the time of day and one-shot timers; tests pass their own. */
export type WindowClock = {
  now(): number;
  /** Milliseconds since 1970. */
  wallNow(): number;
  /** Calls `run` once. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
};

export const systemClock: WindowClock = {
  now: () => performance.now(),
  wallNow: Date.now,
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
