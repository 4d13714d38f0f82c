import { existsSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { atExit, hasEnded, readProcessVariables, readStat } from "@harness/host";
import { endGroup, leftAfter, send } from "./process-group.ts";
import { CALL_ID, CALL_SESSION, KEPT_FILE, OWNER_PID, OWNER_START, startOf } from "./process-mark.ts";

const GRACE_MS = 2000;
/** The number of processes to examine before yielding to the event loop. */
const CHUNK = 64;
const MARKS = [OWNER_PID, OWNER_START, CALL_ID, CALL_SESSION, KEPT_FILE];

type MarkedProcess = { pid: number; groupId: number; inSession: boolean; callId: string };

/**
 * Ends the processes of commands whose harness was killed. Waits up to two seconds, and only if there are any; if this
 * process exits meanwhile, they are killed at once. A call that ended normally has left at most daemons in their own
 * sessions, which it was free to start: they stay. Linux only; never throws.
 */
export async function endOrphans(): Promise<void> {
  if (process.platform !== "linux") return;
  let forget: () => void = () => undefined;
  try {
    const orphans = interrupted(await abandoned());
    const groups = new Map(orphans.map(({ groupId, callId }) => [groupId, callId]));
    for (const groupId of groups.keys()) send(-groupId, "SIGTERM");
    if (groups.size > 0) forget = atExit(() => killAll(orphans));
    await Promise.all([...groups.keys()].map((groupId) => leftAfter(groupId, GRACE_MS)));
    await Promise.all([...groups].map(([groupId, callId]) => endGroup({ groupId, callId }, 0)));
  } catch {
    // The next start tries again.
  } finally {
    forget();
  }
}

/**
 * Ends them after a delay, because nothing waits for it. A process that exits sooner kills them on exit, so that short
 * runs do not leave them to each other.
 */
export function endOrphansLater(delayMs: number): void {
  if (process.platform !== "linux") return;
  const forget = atExit(() => killAll(interrupted([...markedProcesses()])));
  const look = () => {
    forget();
    void endOrphans();
  };
  setTimeout(look, delayMs).unref();
}

function killAll(orphans: readonly MarkedProcess[]): void {
  for (const { pid, groupId } of orphans) {
    send(-groupId, "SIGKILL");
    send(pid, "SIGKILL");
  }
}

/** All processes of calls that still have one in their original session: these calls never ended. */
function interrupted(marked: readonly MarkedProcess[]): MarkedProcess[] {
  const calls = new Set(marked.filter((each) => each.inSession).map((each) => each.callId));
  return marked.filter((each) => calls.has(each.callId));
}

/** The processes of calls whose harness no longer runs. */
async function abandoned(): Promise<MarkedProcess[]> {
  const found: MarkedProcess[] = [];
  let examined = 0;
  for (const marked of eachProcess()) {
    examined += 1;
    if (examined % CHUNK === 0) await new Promise((resolve) => setImmediate(resolve));
    if (marked) found.push(marked);
  }
  return found;
}

function* markedProcesses(): Generator<MarkedProcess> {
  try {
    for (const marked of eachProcess()) if (marked) yield marked;
  } catch {
    // The next start tries again.
  }
}

/** Yields each process that is one of these, and undefined for any other. */
function* eachProcess(): Generator<MarkedProcess | undefined> {
  const ownNamespace = namespaceOf("self");
  const userId = process.getuid?.();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue;
    const marked = markedProcess(name, userId);
    // Process ids inside a container differ from ours.
    yield marked && namespaceOf(name) === ownNamespace ? marked : undefined;
  }
}

function namespaceOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}

function markedProcess(pid: string, userId: number | undefined): MarkedProcess | undefined {
  try {
    if (statSync(`/proc/${pid}`).uid !== userId) return undefined;
    const env = readProcessVariables(pid, MARKS);
    if (!env.has(OWNER_PID)) return undefined;
    const callId = env.get(CALL_ID);
    const owner = Number(env.get(OWNER_PID));
    const start = env.get(OWNER_START);
    // A harness started by a command may find itself here: its own call is for others to end.
    if (!callId || !start || !Number.isInteger(owner) || callId === process.env[CALL_ID]) return undefined;
    if (startOf(owner) === start) return undefined;
    const keptFile = env.get(KEPT_FILE);
    if (keptFile !== undefined && existsSync(keptFile)) return undefined;
    const stat = readStat(Number(pid));
    if (!stat || hasEnded(stat) || stat.groupId <= 1) return undefined;
    // The shell exports it to the programs it starts, but it is missing from the shell's own initial environment.
    const inSession = String(stat.sessionId) === (env.get(CALL_SESSION) ?? pid);
    return { pid: Number(pid), groupId: stat.groupId, inSession, callId };
  } catch {
    // It has ended meanwhile, or belongs to another user.
    return undefined;
  }
}
