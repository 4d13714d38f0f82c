import { type OwnProcess, textOf } from "./own-process.ts";

/**
 * Allows this number of processes and threads more than the machine has now: far more than a build starts, and few
 * enough for the machine to survive. The system counts all processes of a user, and does not limit root.
 */
const MORE_PROCESSES = 2048;
/** The largest file that one process may write. */
const MAX_FILE_BYTES = 20_000_000_000;

/**
 * The shell lines before a command that limit its resources; "" where the system does not report their current use.
 * Memory is not limited in bytes, since much of what is reserved is never used (Node, Go, Java, sanitizers); when it
 * runs out, the command is killed first (`LAST_STRAW`).
 */
export function limitScript(shell: "sh" | "bash", own: OwnProcess, moreProcesses = MORE_PROCESSES): string {
  const { processes, fileBytes } = limitsNow(own, moreProcesses);
  const script = [
    // dash and busybox have -p for what bash calls -u.
    ...(processes === undefined ? [] : [`ulimit -u ${processes} || ulimit -p ${processes}`]),
    ...(fileBytes === undefined ? [] : [`ulimit -f ${fileBytes / blockBytes[shell]}`]),
  ];
  return script.length > 0 ? `{ ${script.join("; ")}; } 2>/dev/null; ` : "";
}

/** The same limits for `command-start.sh`, which sets them and removes these variables. */
export function limitVariables(own: OwnProcess): Record<string, string> {
  const { processes, fileBytes } = limitsNow(own, MORE_PROCESSES);
  return {
    ...(processes !== undefined && { HARNESS_MAX_PROCESSES: String(processes) }),
    ...(fileBytes !== undefined && { HARNESS_MAX_FILE_KIB: String(fileBytes / blockBytes.bash) }),
  };
}

function limitsNow({ limits }: OwnProcess, moreProcesses: number): { processes?: number; fileBytes?: number } {
  const load = textOf("/proc/loadavg");
  const processes = Number(/\/(\d+) /.exec(load)?.[1]) + moreProcesses;
  return {
    ...(isLower(processes, limits, "Max processes") && { processes }),
    ...(isLower(MAX_FILE_BYTES, limits, "Max file size") && { fileBytes: MAX_FILE_BYTES }),
  };
}

/** The unit of `ulimit -f`: 512 bytes in POSIX, 1024 in bash under its own name. */
const blockBytes = { sh: 512, bash: 1024 };

/** False when our own limit is as strict already, or unknown: a higher one would be refused. */
function isLower(wanted: number, limits: string, name: string): boolean {
  return wanted < hardLimit(limits, name);
}

/** A line of proc_pid_limits(5): name, soft limit, hard limit, unit. NaN when it is missing. */
function hardLimit(limits: string, name: string): number {
  const hard = new RegExp(`^${name} +\\S+ +(\\S+)`, "m").exec(limits)?.[1];
  return hard === "unlimited" ? Number.POSITIVE_INFINITY : Number(hard ?? Number.NaN);
}

/**
 * Shell code that makes a command the first process to be killed when memory runs out, before the server (Linux;
 * proc(5)).
 */
export const LAST_STRAW = "{ echo 500 >/proc/self/oom_score_adj; } 2>/dev/null; ";
