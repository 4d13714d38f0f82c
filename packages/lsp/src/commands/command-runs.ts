import { type Finding, uniqueFindings } from "../findings/finding.ts";
import type { CommandOutput, CommandPort } from "./command-port.ts";
import { printedFindings } from "./printed-findings.ts";

/**
 * The findings of a run of a command. `state`: that of the folder when it began. `failure`: the end of its output, if it
 * failed and names no mistake in a known form.
 */
export type CommandVerdict = {
  readonly line: string;
  readonly state: string | undefined;
  readonly findings: readonly Finding[];
  readonly failure: string | undefined;
};

type RunEnd = CommandVerdict | { readonly why: string };

/** `isBefore`: it looks at the state before a change, so that the change waits for it. */
type RunPurpose = { readonly signal: AbortSignal; readonly isBefore: boolean };

const MAX_TAIL_LINES = 30;
const MAX_TAIL_CHARS = 3_000;

/** A run of the command in a folder. */
export class RunningCheck {
  readonly ended: Promise<RunEnd>;
  /** Once it has ended. */
  end: RunEnd | undefined;
  readonly isBefore: boolean;
  readonly #stop = new AbortController();
  readonly #over: AbortSignal;

  constructor(port: CommandPort, cwd: string, { signal, isBefore }: RunPurpose) {
    this.isBefore = isBefore;
    this.#over = AbortSignal.any([signal, this.#stop.signal]);
    this.ended = this.#run(port, cwd).then((end) => {
      this.end = end;
      return end;
    });
  }

  /** True if it was ended before it had a verdict. */
  get isStopped(): boolean {
    return this.#over.aborted;
  }

  /** Ends it with everything that it has started. */
  stop(): void {
    this.#stop.abort();
  }

  async #run(port: CommandPort, cwd: string): Promise<RunEnd> {
    const { line } = port;
    const state = await port.state(cwd);
    const output = await port.run(cwd, this.#over);
    if (this.#over.aborted) return { why: "was stopped, because files changed again" };
    return "why" in output ? output : { line, state, ...read(output, cwd) };
  }
}

/** The runs of a folder's command: one at a time in each folder, and the last verdict there. */
export class CommandRuns {
  readonly #running = new Map<string, RunningCheck>();
  readonly #last = new Map<string, CommandVerdict>();

  /** Starts it, in place of a run that has not ended. */
  start(port: CommandPort, cwd: string, purpose: RunPurpose): RunningCheck {
    this.stop(cwd);
    const run = new RunningCheck(port, cwd, purpose);
    this.#running.set(cwd, run);
    void run.ended.then((end) => {
      if (this.#running.get(cwd) === run) this.#running.delete(cwd);
      if ("findings" in end) this.#last.set(cwd, end);
    });
    return run;
  }

  /** The run in a folder that has not ended. */
  runningIn(cwd: string): RunningCheck | undefined {
    return this.#running.get(cwd);
  }

  stop(cwd: string): void {
    this.#running.get(cwd)?.stop();
    this.#running.delete(cwd);
  }

  /** Undefined if none has ended, or it was of another command. */
  last(cwd: string, line: string): CommandVerdict | undefined {
    const last = this.#last.get(cwd);
    return last?.line === line ? last : undefined;
  }

  /** The last verdicts, by folder. */
  get all(): ReadonlyMap<string, CommandVerdict> {
    return this.#last;
  }

  /** Folders in which it runs. */
  get running(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** Everything but hints in the last verdicts. */
  get findings(): readonly Finding[] {
    const all = [...this.#last.values()].flatMap(({ findings }) => findings);
    return uniqueFindings(all.filter(({ severity }) => severity !== "hint"));
  }

  async close(): Promise<void> {
    const runs = [...this.#running.values()];
    for (const cwd of [...this.#running.keys()]) this.stop(cwd);
    await Promise.all(runs.map(({ ended }) => ended));
  }
}

function read({ text, exitCode }: CommandOutput, cwd: string): Pick<CommandVerdict, "findings" | "failure"> {
  const findings = printedFindings(text, cwd);
  const isExplained = exitCode === 0 || findings.some(({ severity }) => severity === "error");
  return { findings, failure: isExplained ? undefined : tailOf(text) };
}

function tailOf(text: string): string {
  const lines = text.trimEnd().split("\n").slice(-MAX_TAIL_LINES).join("\n");
  return lines === "" ? "(no output)" : lines.slice(-MAX_TAIL_CHARS);
}
