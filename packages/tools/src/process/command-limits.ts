import { readFile } from "node:fs/promises";
import { findProgram } from "./find-program.ts";

/**
 * So many processes and threads more than the machine has now: far more than a build starts, and few enough for the
 * machine to stand. The system counts all of a user's; it does not hold root to it.
 */
const MORE_PROCESSES = 2048;
/** The longest file that one process may write. */
const MAX_FILE_BYTES = 20_000_000_000;

let prlimit: Promise<string | undefined> | undefined;
let ours: Promise<string> | undefined;

/**
 * What to put before a command so that it keeps within bounds: empty where the system has no prlimit(1). Memory is not
 * bounded in bytes, since much that is reserved is never used (Node, Go, Java, sanitizers); where it runs out, the
 * command goes first (`LAST_STRAW`).
 */
export async function limitWords(path: string, moreProcesses = MORE_PROCESSES): Promise<string[]> {
  prlimit ??= process.platform === "linux" ? findProgram("prlimit", path) : Promise.resolve(undefined);
  const program = await prlimit;
  if (!program) return [];
  ours ??= readFile("/proc/self/limits", "utf8").catch(() => "");
  const own = await ours;
  const load = await readFile("/proc/loadavg", "utf8").catch(() => "");
  const now = Number(/\/(\d+) /.exec(load)?.[1]);
  const words = [
    bound("nproc", now + moreProcesses, hardLimit(own, "Max processes")),
    bound("fsize", MAX_FILE_BYTES, hardLimit(own, "Max file size")),
  ].filter((word) => word !== undefined);
  return words.length > 0 ? [program, ...words] : [];
}

/** Undefined = ours is as strict already, or not known: raising it would be refused, and the command with it. */
function bound(name: string, wanted: number, hard: number): string | undefined {
  return wanted < hard ? `--${name}=${wanted}` : undefined;
}

/** A line of proc_pid_limits(5): name, soft limit, hard limit, unit. NaN when it is not there. */
function hardLimit(limits: string, name: string): number {
  const hard = new RegExp(`^${name} +\\S+ +(\\S+)`, "m").exec(limits)?.[1];
  return hard === "unlimited" ? Number.POSITIVE_INFINITY : Number(hard ?? Number.NaN);
}

/** Shell words by which a command is the first to be ended when memory runs out, before the server (Linux; proc(5)). */
export const LAST_STRAW = "{ echo 500 >/proc/self/oom_score_adj; } 2>/dev/null; ";
