import { join } from "node:path";
import { readRegularFile, replaceOwnFile } from "@harness/host";

const DAY_MS = 24 * 3600 * 1000;
/** Reading and writing it more often would tell nothing new. */
const LOOK_MS = 3600 * 1000;
const MAX_BYTES = 1_000;

/**
 * Counts the time that deleted sessions wait. The clock of a computer may jump by years in either direction, so each look
 * counts a day at most: a jump costs a day, and where harness is rarely used they wait longer.
 */
export class BinClock {
  readonly #path: string;
  readonly #now: () => number;

  constructor(folder: string, now: () => number) {
    this.#path = join(folder, "clock.json");
    this.#now = now;
  }

  /** True if a look would tell something new. */
  isDue(): boolean {
    const seen = this.#read();
    return seen === undefined || Math.abs(this.#now() - seen.seenAt) >= LOOK_MS;
  }

  /** The time that has passed so far, in milliseconds; `atLeast`: what is known without the file, which may be gone. */
  elapsedMs(atLeast: number): number {
    const now = this.#now();
    const { elapsedMs, seenAt } = this.#read() ?? { elapsedMs: 0, seenAt: now };
    return Math.max(elapsedMs + Math.min(Math.max(now - seenAt, 0), DAY_MS), atLeast);
  }

  /** The same, which counts on from here. Throws what the file system throws. */
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
