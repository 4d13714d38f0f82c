import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { hasEnded, readStat } from "./process-stat.ts";
import { readProcessVariables } from "./process-variables.ts";

/** The environment variable that identifies the processes of one call, wherever they are. */
export const CALL_ID = "HARNESS_CALL_ID";
/** The program that started the call: its process id, and its start time, because ids are reused. */
export const OWNER_PID = "HARNESS_PID";
export const OWNER_START = "HARNESS_PID_START";

/** More ids are not tried one by one. */
const MAX_TRIED = 2_000;
/** A process that is about to be ended may start another. */
const SWEEPS = 5;

/** Unique among all calls, even of other harness processes. */
export function newCallId(): string {
  return `${process.pid}-${randomBytes(8).toString("hex")}`;
}

export type CallMark = Readonly<Record<string, string>>;

/**
 * The variables that mark a call's processes as ours. `start`: when this process started; without /proc it is missing,
 * and so is any way to read it.
 */
export function callMark(callId: string, { start }: { readonly start: string }): CallMark {
  return { [CALL_ID]: callId, [OWNER_PID]: String(process.pid), ...(start ? { [OWNER_START]: start } : {}) };
}

/**
 * Sends a signal to every process with this mark that was started after `pid`, whatever its group. Linux; never throws.
 */
export function signalMarked(callId: string, pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  if (process.platform !== "linux") return;
  const signalled = new Set<number>();
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const found = startedSince(pid).filter((each) => !signalled.has(each) && isMarked(each, callId));
    if (found.length === 0) return;
    for (const each of found) {
      signalled.add(each);
      try {
        process.kill(each, signal);
      } catch {
        // It has ended meanwhile.
      }
    }
  }
}

function isMarked(pid: number, callId: string): boolean {
  try {
    if (readProcessVariables(pid, [CALL_ID]).get(CALL_ID) !== callId) return false;
    const stat = readStat(pid);
    return stat !== undefined && !hasEnded(stat);
  } catch {
    return false;
  }
}

/** Process ids are assigned in order: the call's own, and those after it up to the last one. */
function startedSince(first: number): number[] {
  try {
    const last = Number(readFileSync("/proc/loadavg", "utf8").trim().split(" ")[4] ?? 0);
    if (last >= first && last - first <= MAX_TRIED) {
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    }
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}
