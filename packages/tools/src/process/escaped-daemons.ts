import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { isWithin } from "@harness/gate";
import { hasEnded, type ProcessStat, readProcessVariables, readStat } from "@harness/host";
import { CALL_ID } from "./process-mark.ts";
import type { RunningProcess } from "./process-table.ts";

/** The most process ids to try one by one. */
const MAX_TRIED = 2_000;
/** Programs that adopt orphans. */
const REAPERS = /^(systemd|init|launchd|tini|dumb-init|catatonit)$/;

export type StartedCall = {
  groupId: number;
  callId: string;
  /** When its shell started, in system ticks. */
  start: string;
  cwd: string;
};

/**
 * The processes that a call may have left behind as daemons: ours, started after the call's shell, without a living
 * parent of their own, in its folder. Nothing proves that they belong to the call, so they are only named. Linux; empty
 * elsewhere. Never throws.
 */
export function maybeLeftBy({ groupId, callId, start, cwd }: StartedCall): RunningProcess[] {
  const found: RunningProcess[] = [];
  for (const pid of startedSince(groupId)) {
    const stat = readStat(pid);
    if (!stat || hasEnded(stat) || Number(stat.start) < Number(start) || stat.groupId === groupId) continue;
    if (isOrphan(stat) && isOurs(pid) && isIn(pid, cwd) && !isOfOther(pid, callId))
      found.push({ pid, name: stat.name });
  }
  return found;
}

/** Process ids are assigned in order: those after the shell's, up to the latest. */
function startedSince(groupId: number): number[] {
  const last = Number(textOf("/proc/loadavg").trim().split(" ")[4] ?? 0);
  if (last > groupId && last - groupId <= MAX_TRIED) {
    return Array.from({ length: last - groupId }, (_, index) => groupId + 1 + index);
  }
  if (last === groupId) return [];
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function isOrphan({ parentId }: ProcessStat): boolean {
  return parentId === 1 || REAPERS.test(readStat(parentId)?.name ?? "");
}

/** True for a process of another concurrent call. */
function isOfOther(pid: number, callId: string): boolean {
  try {
    return (readProcessVariables(pid, [CALL_ID]).get(CALL_ID) ?? callId) !== callId;
  } catch {
    return false;
  }
}

function isOurs(pid: number): boolean {
  try {
    return statSync(`/proc/${pid}`).uid === process.getuid?.();
  } catch {
    return false;
  }
}

function isIn(pid: number, cwd: string): boolean {
  try {
    return isWithin(readlinkSync(`/proc/${pid}/cwd`), cwd);
  } catch {
    return false;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
