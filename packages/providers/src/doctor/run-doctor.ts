import type { CapabilityRecord, ProbeOutcome, Usage } from "@harness/protocol";
import type { Probe } from "./probe.ts";
import { ProbeRunner, type ProbeRunnerDeps } from "./probe-runner.ts";
import { probes } from "./probes.ts";
import { canCall, needsHelpWithCalls, toolModeOf } from "./tool-mode.ts";
import type { ProbeVerdict } from "./verdict.ts";

/** The content of the notification `models/probe`. */
export type ProbeUpdate = { provider: string; model: string; probe: ProbeOutcome; done: number; of: number };

export type DoctorOptions = ProbeRunnerDeps & {
  /** The version of harness. */
  version: string;
  onProbe?(update: ProbeUpdate): void;
};

/** `problem`: a sentence, if the model does not answer at all or the run was stopped. Nothing is saved then. */
export type Examination = (
  | { capabilities: CapabilityRecord; problem?: undefined }
  | { problem: string; capabilities?: undefined }
) & {
  /** Usage of every answered request, as far as the server counts it, for cost accounting. */
  used: readonly (Usage | undefined)[];
};

/**
 * Tests what a model can do with some 15 small requests, one after another: about 8,000 tokens in all if the model does
 * not think, most of them for the window. Never throws. A failed probe does not stop the others; an abort does.
 */
export async function runDoctor(ask: DoctorOptions): Promise<Examination> {
  const { choice, clock, signal, onProbe } = ask;
  const { vendor, model } = choice;
  const runner = new ProbeRunner(ask);
  const outcomes: ProbeOutcome[] = [];
  for (const probe of probes) {
    const startedMs = clock.monotonicMs();
    const {
      findings: found,
      outcome,
      detail,
    } = signal.aborted ? STOPPED : (lackOf(probe, outcomes) ?? (await probe.run(runner)));
    if (signal.aborted) return { problem: STOPPED.detail, used: runner.used };
    Object.assign(runner.findings, found);
    const durationMs = Math.round(clock.monotonicMs() - startedMs);
    const done: ProbeOutcome = { id: probe.id, title: probe.title, outcome, detail, durationMs };
    outcomes.push(done);
    onProbe?.({ provider: vendor.id, model, probe: done, done: outcomes.length, of: probes.length });
    if (probe === probes[0] && outcome === "failed") return { problem: detail, used: runner.used };
  }
  return { capabilities: recordOf(ask, runner, outcomes), used: runner.used };
}

const STOPPED: ProbeVerdict = {
  outcome: "skipped",
  detail: "The test was stopped before it ended: nothing was saved.",
};

function lackOf({ needs = [] }: Probe, outcomes: readonly ProbeOutcome[]): ProbeVerdict | undefined {
  const missing = outcomes.find(({ id, outcome }) => needs.includes(id) && outcome !== "passed");
  if (!missing) return undefined;
  return { outcome: "skipped", detail: `Not tested: it needs "${missing.title}".` };
}

function recordOf(
  { choice, clock, version }: DoctorOptions,
  runner: ProbeRunner,
  outcomes: ProbeOutcome[],
): CapabilityRecord {
  const { findings: found, thinking, abilities } = runner;
  const { vendor, model } = choice;
  return {
    provider: vendor.id,
    model,
    address: vendor.address,
    testedAt: new Date(clock.now()).toISOString(),
    harnessVersion: version,
    toolMode: toolModeOf(found, abilities),
    ...(needsHelpWithCalls(found) && !canCall(found) && { callsTools: false }),
    parallelCalls: found.parallel ?? false,
    streamsArguments: (found.argumentPieces ?? 0) > 1,
    thinking,
    ...(found.contextWindow !== undefined && { windowTokens: found.contextWindow }),
    probes: outcomes,
  };
}
