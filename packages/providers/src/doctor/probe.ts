import type { ProbeRunner } from "./probe-runner.ts";
import type { Verdict } from "./verdict.ts";

/** One thing to try out. `run` never throws. */
export type Probe = {
  id: string;
  title: string;
  /** Ids of probes above it in the table, without which it says nothing. */
  needs?: readonly string[];
  run(runner: ProbeRunner): Promise<Verdict> | Verdict;
};
