/** Monotonic milliseconds, the time of day and one-shot timers; tests hand in their own. */
export type Clock = {
  now(): number;
  /** Milliseconds since 1970. */
  wallNow(): number;
  /** Runs once; the answer stops that. */
  after(ms: number, run: () => void): () => void;
};

export const systemClock: Clock = {
  now: () => performance.now(),
  wallNow: Date.now,
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
