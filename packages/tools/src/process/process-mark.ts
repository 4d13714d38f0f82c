import { hasEnded, readStat } from "@harness/host";

export { CALL_ID, type CallMark, callMark, newCallId, OWNER_PID, OWNER_START } from "@harness/host";

/**
 * The session, and first group, of the call's processes; set by the shell that starts them, because only it knows the
 * id.
 */
export const CALL_SESSION = "HARNESS_CALL_SESSION";

/** A file that exists while the user wants the process to outlive its harness. */
export const KEPT_FILE = "HARNESS_KEPT_FILE";

/** When a process started, in clock ticks since boot; undefined if it has ended or the system does not report it. */
export function startOf(pid: number): string | undefined {
  const stat = readStat(pid);
  return stat && !hasEnded(stat) ? stat.start : undefined;
}
