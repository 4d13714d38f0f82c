import type { Clock } from "@harness/gate";

/** Timers take 32 bits: a longer delay would fire at once. */
const MAX_MS = 2 ** 31 - 1;

export const nodeClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, Math.min(Math.max(ms, 0), MAX_MS));
      signal?.addEventListener("abort", end, { once: true });
    }),
};
