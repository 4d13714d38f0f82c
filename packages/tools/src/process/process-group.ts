import { atExit, hasEnded, readStat } from "@harness/host";
import {
  type Descendant,
  descendantsOf,
  groupMembers,
  markedProcesses,
  outputHolders,
  type RunningProcess,
} from "./process-table.ts";

const POLL_MS = 25;
const SWEEPS = 5;

/** True if `event` settled in time. Leaves no timer behind. */
export function settlesWithin(ms: number, event: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    const came = () => {
      clearTimeout(timer);
      resolve(true);
    };
    event.then(came, came);
  });
}

/** The live processes of a group; a single "unknown" one if the system does not report them. */
export async function aliveIn(groupId: number): Promise<RunningProcess[]> {
  try {
    process.kill(-groupId, 0);
  } catch {
    return [];
  }
  return (await groupMembers(groupId)) ?? [{ pid: groupId, name: "" }];
}

/** Waits until a group is empty, for at most `ms`; returns the rest. */
export async function leftAfter(groupId: number, ms: number): Promise<RunningProcess[]> {
  const deadline = performance.now() + ms;
  // Most have exited after a moment.
  for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, POLL_MS)) {
    const alive = await aliveIn(groupId);
    if (alive.length === 0 || performance.now() >= deadline) return alive;
    await settlesWithin(pauseMs, never);
  }
}

/** `output`: the file that its processes print to, as /proc names it. */
export type Call = { groupId: number; callId: string; output?: string | undefined };

/**
 * Ends a process group and all processes of this call that left it: SIGTERM, then SIGKILL after `graceMs`, then the
 * descendants, those with the call's id in their environment, and those that write to its output. Returns the processes
 * that could not be ended. Never throws.
 */
export async function endGroup(call: Call, graceMs: number): Promise<RunningProcess[]> {
  const { groupId } = call;
  const family = await descendantsOf(groupId);
  if (graceMs > 0) {
    send(-groupId, "SIGTERM");
    await leftAfter(groupId, graceMs);
  }
  send(-groupId, "SIGKILL");
  for (const { pid } of aliveOf(family)) send(pid, "SIGKILL");
  for (let sweep = 0; ; sweep++) {
    const known = (await escapedFrom(call)) ?? [];
    // A killed process may take a moment to end.
    const escaped = [...known, ...aliveOf(family).filter(({ pid }) => !known.some((each) => each.pid === pid))];
    if (escaped.length === 0 || sweep === SWEEPS) return escaped;
    for (const { pid } of escaped) send(pid, "SIGKILL");
    if (sweep > 0) await settlesWithin(POLL_MS, never);
  }
}

/** Ids are reused: only the same processes count. */
function aliveOf(family: readonly Descendant[]): RunningProcess[] {
  return family.flatMap(({ pid, start }) => {
    const stat = readStat(pid);
    return stat && !hasEnded(stat) && stat.start === start ? [{ pid, name: stat.name }] : [];
  });
}

/** Undefined if the system does not report it. */
export async function escapedFrom({ callId, output }: Call): Promise<RunningProcess[] | undefined> {
  const marked = await markedProcesses(callId);
  const holders = output === undefined ? [] : ((await outputHolders(output)) ?? []);
  return marked && [...marked, ...holders.filter(({ pid }) => !marked.some((each) => each.pid === pid))];
}

/** A negative `pid` means the process group of that id. Never throws. */
export function send(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // No such process, or not ours: nothing to end.
  }
}

const never = new Promise<never>(() => undefined);

/** Kills the group when this process exits. Returns a function that cancels this. */
export function endWithUs(groupId: number): () => void {
  return atExit(() => send(-groupId, "SIGKILL"));
}
