import { readdirSync, readFileSync } from "node:fs";
import { readStat } from "@harness/host";

const PAGE_BYTES = 4_096;

/** The memory of a process group in bytes; undefined without /proc. */
export function groupMemory(groupId: number): number | undefined {
  let pids: string[];
  try {
    pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return undefined;
  }
  let bytes: number | undefined;
  for (const pid of pids) {
    if (readStat(Number(pid))?.groupId !== groupId) continue;
    bytes = (bytes ?? 0) + residentBytes(pid);
  }
  return bytes;
}

/** The second field of proc_pid_statm(5). */
function residentBytes(pid: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1] ?? 0) * PAGE_BYTES;
  } catch {
    return 0;
  }
}
