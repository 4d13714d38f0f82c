import { readFileSync } from "node:fs";
import { readStat } from "@harness/host";

/**
 * What the system says of this process and does not change while it runs, read when it is first needed. The owner is
 * what runs commands: reading it for each of them takes as long as looking up ten files.
 */
export class OwnProcess {
  #limits: string | undefined;
  #start: string | undefined;

  /** /proc/self/limits, see proc_pid_limits(5); "" where the system has none. */
  get limits(): string {
    this.#limits ??= textOf("/proc/self/limits");
    return this.#limits;
  }

  /** When it started, in clock ticks since the machine did; "" where the system does not report it. */
  get start(): string {
    this.#start ??= readStat(process.pid)?.start ?? "";
    return this.#start;
  }
}

/** The content of a file in /proc; "" where the system has none. */
export function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
