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
};

export function openSpendLedger({ root }: Pick<ConfigPaths, "root">): SpendLedger {
  const folder = join(root, "spend");
  const pathOf = (day: string) => join(folder, `${day}.jsonl`);
  let log: PrivateLog | undefined;
  return {
    folder,
    add(spend) {
      const path = pathOf(localTime(spend.at).date);
      if (log?.path !== path) log = new PrivateLog(path);
      log.append(JSON.stringify(spend));
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
