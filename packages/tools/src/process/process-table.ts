import { readdirSync } from "node:fs";
import { readdir, readlink } from "node:fs/promises";
import { hasEnded, type ProcessStat, readProcessVariables, readStat } from "@harness/host";
import { CALL_ID } from "./process-mark.ts";

export type RunningProcess = { pid: number; name: string };

/**
 * The live processes of a process group, or those with a call's id in their environment. Reads /proc: undefined on
 * systems without it. Never throws.
 */
export async function groupMembers(groupId: number): Promise<RunningProcess[] | undefined> {
  return processes((stat) => stat.groupId === groupId);
}

export async function markedProcesses(callId: string): Promise<RunningProcess[] | undefined> {
  return processes((_stat, folder) => isMarked(folder.slice("/proc/".length), callId));
}

function isMarked(pid: string, callId: string): boolean {
  return readProcessVariables(pid, [CALL_ID]).get(CALL_ID) === callId;
}

/** True if a process of this group has a call's id in its environment. Synchronous; false on systems without /proc. */
export function hasMarkedMember(groupId: number, callId: string): boolean {
  return readdirSync("/proc").some((name) => {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : undefined;
    if (!stat || hasEnded(stat) || stat.groupId !== groupId) return false;
    try {
      return isMarked(name, callId);
    } catch {
      return false;
    }
  });
}

/** The processes that write to an output, named as in the links of /proc/…/fd. */
export async function outputHolders(output: string): Promise<RunningProcess[] | undefined> {
  return processes(async (_stat, folder) => {
    const outputs = await Promise.all([1, 2].map((number) => readlink(`${folder}/fd/${number}`).catch(() => "")));
    return outputs.includes(output);
  });
}

/** A process and its start time, because ids are reused. */
export type Descendant = { pid: number; start: string };

/** The descendants of a process; those whose parent has ended are not found. */
export async function descendantsOf(pid: number): Promise<Descendant[]> {
  const children = new Map<number, Descendant[]>();
  await processes(({ parentId, start }, folder) => {
    const child = { pid: Number(folder.slice("/proc/".length)), start };
    children.set(parentId, [...(children.get(parentId) ?? []), child]);
    return false;
  });
  const found = [...(children.get(pid) ?? [])];
  for (const each of found) found.push(...(children.get(each.pid) ?? []));
  return found;
}

async function processes(
  wanted: (stat: ProcessStat, folder: string) => boolean | Promise<boolean>,
): Promise<RunningProcess[] | undefined> {
  let names: string[];
  try {
    names = await readdir("/proc");
  } catch {
    return undefined;
  }
  const pids = names.filter((name) => /^\d+$/.test(name));
  if (pids.length === 0) return undefined;
  const found: RunningProcess[] = [];
  for (const pid of pids) {
    // Synchronous: reading this file never blocks, and a trip to another thread would cost ten times as much.
    const stat = readStat(Number(pid));
    if (!stat || hasEnded(stat) || Number(pid) === process.pid) continue;
    try {
      if (await wanted(stat, `/proc/${pid}`)) found.push({ pid: Number(pid), name: stat.name });
    } catch {
      // It has ended meanwhile, or belongs to another user.
    }
  }
  return found;
}
