/** Time comes in through this port; core has no other clock. */
export interface Clock {
  /** Wall clock, ms since 1970, for dates people read. It may jump. */
  now(): number;
  /** Never jumps; for durations, in ms. */
  monotonicMs(): number;
  /** Resolves after `ms`, or at once when the signal aborts; never rejects. Values above 2^31−1 ms are capped. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
