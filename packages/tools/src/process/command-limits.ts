import { type OwnProcess, readProcFile } from "./own-process.ts";

/**
 * The number of processes and threads allowed in addition to those of the machine now: far more than a build starts,
 * few enough for the machine to survive. The system counts all processes of a user, and does not limit root.
 */
const MORE_PROCESSES = 2048;
/** The largest file that a single process may write. */
const MAX_FILE_BYTES = 20_000_000_000;

/**
 * The shell lines before a command that limit its resources; "" where the system does not report their current use.
 * Memory is not limited in bytes, since much of what is reserved is never used (Node, Go, Java, sanitizers); when it
 * runs out, the command is killed first (`LAST_STRAW`).
 */
export function limitScript(shell: "sh" | "bash", own: OwnProcess, moreProcesses = MORE_PROCESSES): string {
  const processes = Number(/\/(\d+) /.exec(readProcFile("/proc/loadavg"))?.[1]) + moreProcesses;
  // If our own limit is already as strict, or unknown, none is set: a higher one would be refused.
  const script = [
    // dash and busybox use -p for bash's -u.
    ...(processes < own.limits.processes ? [`ulimit -u ${processes} || ulimit -p ${processes}`] : []),
    ...(MAX_FILE_BYTES < own.limits.fileBytes ? [`ulimit -f ${MAX_FILE_BYTES / blockBytes[shell]}`] : []),
  ];
  return script.length > 0 ? `{ ${script.join("; ")}; } 2>/dev/null; ` : "";
}

/** The same limits for `command-start.sh`, which sets them and removes these variables. */
export function limitVariables({ limits }: OwnProcess): Record<string, string> {
  const { processes, fileBytes } = limits;
  return {
    ...(processes > MORE_PROCESSES && {
      HARNESS_MORE_PROCESSES: String(MORE_PROCESSES),
      HARNESS_MOST_PROCESSES: String(Math.min(processes, Number.MAX_SAFE_INTEGER)),
    }),
    ...(MAX_FILE_BYTES < fileBytes && { HARNESS_MAX_FILE_KIB: String(MAX_FILE_BYTES / blockBytes.bash) }),
  };
}

/** The unit of `ulimit -f`: 512 bytes in POSIX, 1024 in bash under its own name. */
const blockBytes = { sh: 512, bash: 1024 };

/**
 * Shell code that makes a command the first process to be killed when memory runs out, before the server (Linux;
 * proc(5)).
 */
export const LAST_STRAW = "{ echo 500 >/proc/self/oom_score_adj; } 2>/dev/null; ";
