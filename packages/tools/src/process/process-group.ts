import { groupMembers, markedProcesses, type Running } from "./process-table.ts";

const POLL_MS = 25;
const SWEEPS = 5;

/** True when `event` came within the time. Leaves no timer behind. */
export function within(ms: number, event: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    const came = () => {
      clearTimeout(timer);
      resolve(true);
    };
    event.then(came, came);
  });
}

/** The processes of a group that still live; a single "unknown" one where the system does not tell. */
export async function aliveIn(groupId: number): Promise<Running[]> {
  try {
    process.kill(-groupId, 0);
  } catch {
    return [];
  }
  return (await groupMembers(groupId)) ?? [{ pid: groupId, name: "" }];
}

/** Waits until a group is empty, for at most `ms`; answers who is left. */
export async function leftAfter(groupId: number, ms: number): Promise<Running[]> {
  const deadline = performance.now() + ms;
  for (;;) {
    const alive = await aliveIn(groupId);
    if (alive.length === 0 || performance.now() >= deadline) return alive;
    await within(POLL_MS, never);
  }
}

/**
 * Ends a process group and everything of this call that left it: SIGTERM, then SIGKILL after `graceMs`, then whoever
 * carries the call's id in its environment. Answers what could not be ended. Never throws.
 */
export async function endGroup(groupId: number, callId: string, graceMs: number): Promise<Running[]> {
  if (graceMs > 0) {
    send(-groupId, "SIGTERM");
    await leftAfter(groupId, graceMs);
  }
  send(-groupId, "SIGKILL");
  for (let sweep = 0; ; sweep++) {
    const escaped = (await markedProcesses(callId)) ?? [];
    if (escaped.length === 0 || sweep === SWEEPS) return escaped;
    for (const { pid } of escaped) send(pid, "SIGKILL");
    if (sweep > 0) await within(POLL_MS, never);
  }
}

/** Negative = the process group of that id. Never throws. */
export function send(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Nobody there any more, or not ours: nothing to end.
  }
}

const never = new Promise<never>(() => undefined);

const running = new Set<number>();
let isWatching = false;

/**
 * A group that must not outlive this process: when it exits, whatever the reason that lets it run a last line, the group
 * is killed. Answers what takes the group off the list.
 */
export function endWithUs(groupId: number): () => void {
  running.add(groupId);
  if (!isWatching) {
    isWatching = true;
    process.once("exit", () => {
      for (const each of running) send(-each, "SIGKILL");
    });
  }
  return () => running.delete(groupId);
}
