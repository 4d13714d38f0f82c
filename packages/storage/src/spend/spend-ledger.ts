import { closeSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { errorCode, PrivateLog, readRegularFile } from "@harness/host";
import { Cost, localTime, Usage } from "@harness/protocol";
import * as z from "zod";
import type { ConfigPaths } from "../config-paths.ts";

const Spend = z.object({
  /** ISO time of the reply. */
  at: z.string(),
  sessionId: z.string(),
  provider: z.string(),
  model: z.string(),
  usage: Usage.optional(),
  cost: Cost,
});

/** For one day: a hundred thousand requests. */
const MAX_BYTES = 64 * 1024 * 1024;

const NEWLINE = 0x0a;

/** One request to a model with its cost. */
export type Spend = z.infer<typeof Spend>;

/**
 * The cost of requests, one file per day of local time (`spend/2026-11-22.jsonl`), so that a day's sum needs no
 * session. The sessions are authoritative: a line lost here is only missing from the day's sum.
 */
export type SpendLedger = {
  readonly folder: string;
  /** Throws file system errors. */
  add(spend: Spend): void;
  /** `day` is YYYY-MM-DD. Damaged lines are skipped. */
  of(day: string): Spend[];
  /** The cost of a day in US dollars. Reads only the lines that have come since the last call for the day. */
  usdOf(day: string): number;
};

export function openSpendLedger({ root }: Pick<ConfigPaths, "root">): SpendLedger {
  const folder = join(root, "spend");
  const pathOf = (day: string) => join(folder, `${day}.jsonl`);
  let log: PrivateLog | undefined;
  let sum: DaySum | undefined;
  return {
    folder,
    add(spend) {
      const path = pathOf(localTime(spend.at).date);
      if (log?.path !== path) log = new PrivateLog(path);
      log.append(JSON.stringify(spend));
    },
    usdOf(day) {
      const path = pathOf(day);
      if (sum?.path !== path) sum = new DaySum(path);
      return sum.usd();
    },
    of(day) {
      if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return [];
      try {
        return readRegularFile(pathOf(day), { maxBytes: MAX_BYTES, followLinks: true })
          .toString("utf8")
          .split("\n")
          .flatMap(spendOf);
      } catch (error) {
        if (errorCode(error) === "ENOENT") return [];
        throw error;
      }
    },
  };
}

/** The sum over a file that only grows. */
class DaySum {
  readonly path: string;
  #bytes = 0;
  #usd = 0;

  constructor(path: string) {
    this.path = path;
  }

  usd(): number {
    const size = statSync(this.path, { throwIfNoEntry: false })?.size ?? 0;
    if (size < this.#bytes) {
      this.#bytes = 0;
      this.#usd = 0;
    }
    if (size > this.#bytes) this.#read(size - this.#bytes);
    return this.#usd;
  }

  /** The last line may be one that is still being written. */
  #read(length: number): void {
    const file = openSync(this.path, "r");
    try {
      const bytes = Buffer.alloc(Math.min(length, MAX_BYTES));
      const read = readSync(file, bytes, 0, bytes.length, this.#bytes);
      const end = bytes.lastIndexOf(NEWLINE, read - 1) + 1;
      for (const line of bytes.toString("utf8", 0, end).split("\n"))
        for (const { cost } of spendOf(line)) this.#usd += cost.usd;
      this.#bytes += end;
    } finally {
      closeSync(file);
    }
  }
}

function spendOf(line: string): Spend[] {
  if (line === "") return [];
  try {
    const read = Spend.safeParse(JSON.parse(line));
    return read.success ? [read.data] : [];
  } catch {
    // The end of a line may be missing after a crash.
    return [];
  }
}
