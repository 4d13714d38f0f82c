import { closeSync, constants, readSync } from "node:fs";
import { errorCode, openRegularFile } from "@harness/host";
import type { StoredFact } from "@harness/protocol";
import type { FactEntry } from "./fact-table.ts";
import { decodeLine, decodeLines } from "./log-line.ts";

/** The line does not hold the fact that the table says: the log was changed, or the fact was forged. */
export class StaleEntryError extends Error {
  override readonly name = "StaleEntryError";
}

const SHARED_BYTES = 64 * 1024;

/** Adjacent lines of one log, read at once. */
type LineRun = { entries: FactEntry[]; offset: number; end: number };

/** Reads the facts of these entries. Throws `StaleEntryError`, and file system errors. */
export function readFacts(
  entries: readonly FactEntry[],
  paths: readonly string[],
  { checked }: { checked: boolean },
): Map<FactEntry, StoredFact> {
  const facts = new Map<FactEntry, StoredFact>();
  for (const [log, ofLog] of Map.groupBy(entries, (entry) => entry.log)) {
    const path = paths[log];
    if (path === undefined) throw new StaleEntryError(`there is no log ${log}`);
    const fd = openLog(path);
    try {
      for (const run of runsOf(ofLog)) takeRun(facts, run, readRun(fd, run), checked);
    } finally {
      closeSync(fd);
    }
  }
  return facts;
}

/** A missing log may have moved: it holds what a fork shares with a session that was deleted in the meantime. */
function openLog(path: string): number {
  try {
    return openRegularFile(path, constants.O_RDONLY);
  } catch (error) {
    if (errorCode(error) === "ENOENT") throw new StaleEntryError(`${path} is gone`, { cause: error });
    throw error;
  }
}

function runsOf(entries: readonly FactEntry[]): LineRun[] {
  const runs: LineRun[] = [];
  for (const entry of entries.toSorted((a, b) => a.offset - b.offset)) {
    const last = runs.at(-1);
    const end = entry.offset + entry.length;
    // Adjacent: only an LF lies between them.
    if (last && entry.offset === last.end + 1) {
      last.entries.push(entry);
      last.end = end;
    } else runs.push({ entries: [entry], offset: entry.offset, end });
  }
  return runs;
}

/** Reused for runs of the usual length: their lines become strings before the next run is read. */
const shared = Buffer.allocUnsafe(SHARED_BYTES);

/** The result is valid until the next call. */
function readRun(fd: number, { offset, end }: LineRun): Buffer {
  const length = end - offset;
  const bytes = length <= SHARED_BYTES ? shared.subarray(0, length) : Buffer.allocUnsafe(length);
  for (let done = 0; done < bytes.length; ) {
    const read = readSync(fd, bytes, done, bytes.length - done, offset + done);
    if (read === 0) throw new StaleEntryError("the log is shorter than it was");
    done += read;
  }
  return bytes;
}

function takeRun(facts: Map<FactEntry, StoredFact>, run: LineRun, bytes: Buffer, checked: boolean): void {
  const together = checked ? undefined : decodeLines(bytes);
  for (const [index, entry] of run.entries.entries()) {
    const from = entry.offset - run.offset;
    const line = together?.[index] ?? decodeLine(bytes.subarray(from, from + entry.length), { checked });
    if (line.kind !== "fact" || line.fact.seq !== entry.seq) throw new StaleEntryError(`fact ${entry.seq} is gone`);
    facts.set(entry, line.fact);
  }
}
