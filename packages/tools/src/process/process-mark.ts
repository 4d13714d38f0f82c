import { randomBytes } from "node:crypto";
import { hasEnded, readStat } from "@harness/host";
import type { OwnProcess } from "./own-process.ts";

/** The environment variable that identifies the processes of one call, wherever they are. */
export const CALL_ID = "HARNESS_CALL_ID";
/** Which program started the call: its process id, and when that started, as ids are used again. */
export const OWNER_PID = "HARNESS_PID";
export const OWNER_START = "HARNESS_PID_START";
/** The session, and first group, of the call's processes; set by the shell that starts it, which alone knows them. */
export const CALL_SESSION = "HARNESS_CALL_SESSION";

/** A file that exists while the process may outlive its harness, as a person wants it to. */
export const KEPT_FILE = "HARNESS_KEPT_FILE";

/** Differs from those of all other calls, also of other harnesses. */
export function newCallId(): string {
  return `${process.pid}-${randomBytes(8).toString("hex")}`;
}

export type CallMark = Readonly<Record<string, string>>;

/** The variables that mark a call's processes as ours. Without /proc there is no start time, and no way to read it. */
export function callMark(callId: string, { start }: Pick<OwnProcess, "start">): CallMark {
  return { [CALL_ID]: callId, [OWNER_PID]: String(process.pid), ...(start ? { [OWNER_START]: start } : {}) };
}

/**
 * When a process started, in clock ticks since the machine did; undefined when it has ended or the system does not
 * report it.
 */
export function startOf(pid: number): string | undefined {
  const stat = readStat(pid);
  return stat && !hasEnded(stat) ? stat.start : undefined;
}
