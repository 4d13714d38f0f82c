import { readFileSync } from "node:fs";

/**
 * So many processes and threads more than the machine has now: far more than a build starts, and few enough for the
 * machine to stand. The system counts all of a user's; it does not hold root to it.
 */
const MORE_PROCESSES = 2048;
/** The longest file that one process may write. */
const MAX_FILE_BYTES = 20_000_000_000;

let ours: string | undefined;

/**
 * What a shell says before it starts a command, so that the command keeps within bounds; "" where the system does not
 * tell what they are now. Memory is not bounded in bytes, since much that is reserved is never used (Node, Go, Java,
 * sanitizers); where it runs out, the command goes first (`LAST_STRAW`).
 */
export function limitScript(shell: "sh" | "bash", moreProcesses = MORE_PROCESSES): string {
  ours ??= textOf("/proc/self/limits");
  const own = ours;
  const load = textOf("/proc/loadavg");
  const processes = Number(/\/(\d+) /.exec(load)?.[1]) + moreProcesses;
  const script = [
    // dash and busybox have -p for what bash calls -u.
    ...(isLower(processes, own, "Max processes") ? [`ulimit -u ${processes} || ulimit -p ${processes}`] : []),
    ...(isLower(MAX_FILE_BYTES, own, "Max file size") ? [`ulimit -f ${MAX_FILE_BYTES / blockBytes[shell]}`] : []),
  ];
  return script.length > 0 ? `{ ${script.join("; ")}; } 2>/dev/null; ` : "";
}

/** Of a file that is no disk's and never waited for; "" where the system has none. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** What `ulimit -f` counts in: POSIX has it in 512 bytes, bash under its own name in 1024. */
const blockBytes = { sh: 512, bash: 1024 };

/** False = ours is as strict already, or not known: a higher one would be refused. */
function isLower(wanted: number, limits: string, name: string): boolean {
  return wanted < hardLimit(limits, name);
}

/** A line of proc_pid_limits(5): name, soft limit, hard limit, unit. NaN when it is not there. */
function hardLimit(limits: string, name: string): number {
  const hard = new RegExp(`^${name} +\\S+ +(\\S+)`, "m").exec(limits)?.[1];
  return hard === "unlimited" ? Number.POSITIVE_INFINITY : Number(hard ?? Number.NaN);
}

/** Shell words by which a command is the first to be ended when memory runs out, before the server (Linux; proc(5)). */
export const LAST_STRAW = "{ echo 500 >/proc/self/oom_score_adj; } 2>/dev/null; ";
