import { spokenTime } from "./spoken-time.ts";

/** A time that runs: `8 s`, `2 min 05 s`. It counts whole seconds, so it never shows one that is still to come. */
export function elapsed(ms: number): string {
  return spokenTime(Math.floor(ms / 1000) * 1000);
}
