import { join } from "node:path";
import { readRegularFile, replaceOwnFile } from "@harness/host";

const DAY_MS = 24 * 3600 * 1000;
/** The clock is read and written at most this often. */
const LOOK_MS = 3600 * 1000;
const MAX_BYTES = 1_000;

/**
 * Counts how long deleted sessions have waited. A computer's clock may jump by years in either direction, so each look
 * adds a day at most: a jump costs one day, and sessions wait longer if harness is rarely used.
 */
export class BinClock {
  readonly #path: string;
  readonly #now: () => number;

  constructor(folder: string, now: () => number) {
    this.#path = join(folder, "clock.json");
    this.#now = now;
  }

  /** True if it is time to look again. */
  isDue(): boolean {
    const seen = this.#read();
    return seen === undefined || Math.abs(this.#now() - seen.seenAt) >= LOOK_MS;
  }

  /** Milliseconds counted so far; `atLeast`: known without the file, which may be gone. */
  elapsedMs(atLeast: number): number {
    const now = this.#now();
    const { elapsedMs, seenAt } = this.#read() ?? { elapsedMs: 0, seenAt: now };
    return Math.max(elapsedMs + Math.min(Math.max(now - seenAt, 0), DAY_MS), atLeast);
  }

  /** Like `elapsedMs`, and counts on from here. Throws file system errors. */
  look(atLeast: number): number {
    const elapsedMs = this.elapsedMs(atLeast);
    replaceOwnFile(this.#path, JSON.stringify({ elapsedMs, seenAt: this.#now() }));
    return elapsedMs;
  }

  #read(): { elapsedMs: number; seenAt: number } | undefined {
    try {
      const text = readRegularFile(this.#path, { maxBytes: MAX_BYTES, followLinks: false }).toString("utf8");
      const { elapsedMs, seenAt } = JSON.parse(text) as { elapsedMs?: unknown; seenAt?: unknown };
      return typeof elapsedMs === "number" && typeof seenAt === "number" ? { elapsedMs, seenAt } : undefined;
    } catch {
      return undefined;
    }
  }
}
