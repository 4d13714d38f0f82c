import { readFileSync } from "node:fs";

export type ProcessStat = {
  name: string;
  state: string;
  parentId: number;
  groupId: number;
  sessionId: number;
  start: string;
};

/**
 * Parses `pid (name) state parent group session … start`, proc_pid_stat(5); the name may contain blanks and
 * parentheses. Pure.
 */
export function parseStat(text: string): ProcessStat | undefined {
  const nameEnd = text.lastIndexOf(")");
  const fields = text.slice(nameEnd + 2).split(" ");
  const [state, parent, group, session] = fields;
  const start = fields[19];
  if (nameEnd === -1 || !state || !group || !session || !start) return undefined;
  const name = text.slice(text.indexOf("(") + 1, nameEnd);
  return { name, state, parentId: Number(parent), groupId: Number(group), sessionId: Number(session), start };
}

/** Undefined if the system has no /proc, or no such process. */
export function readStat(pid: number): ProcessStat | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return undefined;
  }
}

/** True if it has ended, and only waits for its parent to notice. */
export function hasEnded({ state }: ProcessStat): boolean {
  return state === "Z" || state === "X";
}
