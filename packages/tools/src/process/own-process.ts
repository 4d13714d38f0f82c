import { readFileSync } from "node:fs";
import { readStat } from "@harness/host";

/** Hard limits; NaN: unknown. */
type Limits = { readonly processes: number; readonly fileBytes: number };

/**
 * System data about this process that does not change while it runs, read on first use. Owned by the object that runs
 * commands, because reading it for each command takes as long as resolving ten files.
 */
export class OwnProcess {
  #limits: Limits | undefined;
  #start: string | undefined;
  #isItsUsers: boolean | undefined;

  get limits(): Limits {
    this.#limits ??= hardLimits(readProcFile("/proc/self/limits"));
    return this.#limits;
  }

  /**
   * False if it runs with the rights of a different user than the one who started it: bash then trusts no variables.
   */
  get isItsUsers(): boolean {
    this.#isItsUsers ??= process.getuid?.() === process.geteuid?.() && process.getgid?.() === process.getegid?.();
    return this.#isItsUsers;
  }

  /** When it started, in clock ticks since boot; "" if the system does not report it. */
  get start(): string {
    this.#start ??= readStat(process.pid)?.start ?? "";
    return this.#start;
  }
}

function hardLimits(text: string): Limits {
  return { processes: hardLimit(text, "Max processes"), fileBytes: hardLimit(text, "Max file size") };
}

/** A line of proc_pid_limits(5): name, soft limit, hard limit, unit. */
function hardLimit(limits: string, name: string): number {
  const hard = new RegExp(`^${name} +\\S+ +(\\S+)`, "m").exec(limits)?.[1];
  return hard === "unlimited" ? Number.POSITIVE_INFINITY : Number(hard ?? Number.NaN);
}

/** The content of a file in /proc; "" if the system does not have it. */
export function readProcFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
