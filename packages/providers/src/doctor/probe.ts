import type { ProbeRunner } from "./probe-runner.ts";
import type { ProbeVerdict } from "./verdict.ts";

/** One test of a model. `run` never throws. */
export type Probe = {
  id: string;
  title: string;
  /** Ids of earlier probes that must have passed for this one to be meaningful. */
  needs?: readonly string[];
  run(runner: ProbeRunner): Promise<ProbeVerdict> | ProbeVerdict;
};
