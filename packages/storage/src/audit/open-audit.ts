import { existsSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import type { AuditLog, Clock } from "@harness/gate";
import { appendLine, blockForLock, describeOwner, diskProblem, removeIfThere, systemReason } from "@harness/host";
import type { ConfigPaths } from "../config-paths.ts";
import type { Redactor } from "../secrets/redactor.ts";
import { clearedLine, decidedLine, endedLine } from "./audit-line.ts";
import { type AuditList, countDecisions, readNewest } from "./read-newest.ts";

/** Entries of the sessions whose id begins with `sessionId`; without it, of all sessions. */
export type AuditQuery = { last: number; sessionId?: string };

/** The log of decisions on disk. */
export type AuditFile = AuditLog & {
  readonly path: string;
  /** Never rejects. */
  list(query: AuditQuery): Promise<AuditList>;
  /** Clears the log; the first line of the new log records that. */
  clear(): Promise<{ removedEntries: number } | { problem: string }>;
};

export type AuditOptions = {
  configPaths: Pick<ConfigPaths, "root">;
  clock: Pick<Clock, "now">;
  /** The redactor of a folder; requested for each line, since keys are added while the server runs. */
  redactor(cwd: string): Redactor;
  /** The size at which one file is rotated. */
  mostBytes?: number;
};

const MAX_BYTES = 10 * 1024 * 1024;
/** Older logs that are kept: `audit.jsonl.1` is the newest of them. */
const KEPT = 3;
const LOCK_WAIT_MS = 1_000;

/** `audit.jsonl`: append-only, a line a write, so that several processes may share it. Reads and makes nothing yet. */
export function openAudit({ configPaths, clock, redactor, mostBytes = MAX_BYTES }: AuditOptions): AuditFile {
  const path = join(configPaths.root, "audit.jsonl");
  const now = () => new Date(clock.now()).toISOString();
  let failure: string | undefined;
  const add = (line: () => string): boolean => {
    failure = undefined;
    try {
      if (appendLine(path, line()) >= mostBytes) rotate(path, mostBytes);
      return true;
    } catch (error) {
      // The gate handles the failure: it allows nothing more without asking.
      failure = `${path}: ${systemReason(error)}`;
      return false;
    }
  };
  return {
    path,
    decided: (decision) => add(() => decidedLine(decision, now(), redactor(decision.cwd))),
    failure: () => failure,
    ended: (end) => void add(() => endedLine(end, now())),
    list: ({ last, sessionId }) => readNewest(filesOf(path), last, sessionId),
    clear: () => clear(path, now),
  };
}

/** Newest first. */
function filesOf(path: string): string[] {
  return [path, ...Array.from({ length: KEPT }, (_, index) => `${path}.${index + 1}`)];
}

/** Leaves the rotation to another process that is already doing it. */
function rotate(path: string, mostBytes: number): void {
  const lock = blockForLock(`${path}.lock`, 0);
  if (!("release" in lock)) return;
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size < mostBytes) return;
    const files = filesOf(path).reverse();
    for (const [index, older] of files.entries()) {
      const newer = files[index + 1];
      if (newer !== undefined && existsSync(newer)) renameSync(newer, older);
    }
  } catch {
    // It grows beyond its size, and the next line tries again.
  } finally {
    lock.release();
  }
}

async function clear(path: string, now: () => string): Promise<{ removedEntries: number } | { problem: string }> {
  let removed: string[] = [];
  try {
    const lock = blockForLock(`${path}.lock`, LOCK_WAIT_MS);
    if (!("release" in lock)) {
      const problem = `The audit log is being changed by another harness (${describeOwner(lock.owner)}). Try again.`;
      return { problem };
    }
    try {
      // Renamed first: lines that others write meanwhile go to the new log, or are counted with the old one.
      removed = filesOf(path).flatMap((each) => {
        if (!existsSync(each)) return [];
        renameSync(each, `${each}.removed`);
        return [`${each}.removed`];
      });
      const removedEntries = await countDecisions(removed);
      appendLine(path, clearedLine(removedEntries, now()));
      return { removedEntries };
    } finally {
      lock.release();
    }
  } catch (error) {
    return { problem: diskProblem(error, "clear the audit log", path) };
  } finally {
    for (const each of removed) removeIfThere(each);
  }
}
