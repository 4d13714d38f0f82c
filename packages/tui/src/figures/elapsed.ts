import { spokenTime } from "./spoken-time.ts";

/** A running time: `8 s`, `2 min 05 s`. It counts whole seconds, so it never shows a second that has not passed. */
export function elapsed(ms: number): string {
  return spokenTime(Math.floor(ms / 1000) * 1000);
}
