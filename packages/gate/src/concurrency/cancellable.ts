import type { Clock } from "../ports/clock.ts";

/** Waits for the promise, or after an abort for `onAbort`. A late rejection of the promise is swallowed. */
export function cancellable<T>(promise: Promise<T>, signal: AbortSignal, onAbort: () => Promise<T> | T): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      Promise.resolve(onAbort()).then(resolve, reject);
    };
    promise.then(
      (value) => {
        signal.removeEventListener("abort", abort);
        resolve(value);
      },
      (error: unknown) => {
        signal.removeEventListener("abort", abort);
        reject(error);
      },
    );
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}

/** A stopped task gets this long to end by itself, so that its partial result is not lost. */
const GRACE_MS = 3_000;

/**
 * Waits for the promise, but only briefly after an abort, so that a task that ignores its signal does not block the
 * session.
 */
export async function withGrace<T>(promise: Promise<T>, signal: AbortSignal, clock: Clock, late: () => T): Promise<T> {
  const ended = new AbortController();
  try {
    return await cancellable(promise, signal, async () => {
      await clock.sleep(GRACE_MS, ended.signal);
      return late();
    });
  } finally {
    // Passes a reason because the platform would otherwise build an error with a stack for each call.
    ended.abort("ended");
  }
}
