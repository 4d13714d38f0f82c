import type { EditChecks, EditReport, FileEdits } from "@harness/core";
import type { Clock } from "@harness/gate";
import { checksReport } from "../checks/checks-report.ts";
import type { CommandPort } from "./command-port.ts";
import { commandFailure, commandReports, quotedCommand } from "./command-report.ts";
import type { CommandRuns, CommandVerdict, RunningCheck } from "./command-runs.ts";

export type CommandChecksOptions = {
  readonly runs: CommandRuns;
  readonly port: CommandPort;
  readonly clock: Clock;
  /** Asked for each check. */
  level(): "errors" | "all";
  /** True if a language server checks this file, so that the command need not. */
  isServed(path: string, cwd: string): Promise<boolean>;
};

/** Before a turn of an agent. `verdict` is undefined where it could not be had in time. */
type Before = { turnId: string; verdict?: Promise<CommandVerdict | undefined>; state?: string | undefined };
type LateRun = { run: RunningCheck; edits: FileEdits; before: CommandVerdict | undefined };

const STAGED = "does not see edits that wait for a review";
/** Agents whose last turn is remembered. */
const MAX_AGENTS = 200;

/** Checks what agents change with a command, where no language server does. */
export class CommandChecks implements EditChecks {
  readonly #options: CommandChecksOptions;
  readonly #before = new Map<string, Before>();
  /** Runs that had not ended in time, by agent. */
  readonly #late = new Map<string, LateRun>();
  /** Why the command did not run, which is said once. */
  #said: string | undefined;

  constructor(options: CommandChecksOptions) {
    this.#options = options;
  }

  async before(edits: FileEdits, signal: AbortSignal): Promise<void> {
    const { port, runs } = this.#options;
    if (port.line === "" || isStaged(edits)) return;
    const { agentId, cwd } = edits;
    const before = this.#beforeOf(edits);
    this.#late.delete(agentId);
    // Whoever started it: it would see a part of what changes now.
    if (runs.runningIn(cwd)?.isBefore === false) runs.stop(cwd);
    if (edits.paths.length === 0) before.state ??= await port.state(cwd);
    else if (await this.#isAbout(edits)) {
      before.verdict ??= this.#verdictBefore(cwd, signal);
      await before.verdict;
    }
  }

  async after(edits: FileEdits & { readonly commands: boolean }, signal: AbortSignal): Promise<EditReport | undefined> {
    const { port, runs } = this.#options;
    if (port.line === "" || signal.aborted) return undefined;
    if (isStaged(edits)) return (await this.#isAbout(edits)) ? this.#notRun(edits, STAGED) : undefined;
    const about = this.#beforeOf(edits);
    if (!(await this.#isAbout(edits)) && !(edits.commands && (await this.#hasChanged(edits.cwd, about))))
      return undefined;
    const before = await (about.verdict ?? this.#lastAt(edits.cwd, about.state));
    const run = runs.start(port, edits.cwd, { signal, isBefore: false });
    const end = await this.#inTime(run, signal);
    about.state = await port.state(edits.cwd);
    if (signal.aborted) return undefined;
    if (end) return this.#report({ run, edits, before });
    this.#late.set(edits.agentId, { run, edits, before });
    const why = `did not end within ${port.waitMs / 1000} s; if nothing changes until then, its verdict is in a later result`;
    return this.#words(
      [{ server: quotedCommand(port.line), path: edits.paths[0] ?? edits.cwd, result: { why } }],
      edits,
    );
  }

  reviewed(): void {
    this.#said = undefined;
  }

  /** The verdict of a run that had not ended in time, once; nothing has changed since. */
  late({ agentId }: Pick<FileEdits, "agentId">): EditReport | undefined {
    const late = this.#late.get(agentId);
    if (!late?.run.end) return undefined;
    this.#late.delete(agentId);
    return late.run.isStopped ? undefined : this.#report(late, true);
  }

  #report({ run, edits, before }: LateRun, isLate = false): EditReport | undefined {
    const { end } = run;
    if (!end) return undefined;
    if ("why" in end) return this.#notRun(edits, end.why);
    this.#said = undefined;
    return commandFailure(end, before) ?? this.#words(commandReports(end, before, edits), edits, isLate);
  }

  #notRun(edits: FileEdits, why: string): EditReport | undefined {
    if (this.#said === why) return undefined;
    this.#said = why;
    const server = quotedCommand(this.#options.port.line);
    return this.#words([{ server, path: edits.paths[0] ?? edits.cwd, result: { why } }], edits);
  }

  #words(reports: Parameters<typeof checksReport>[0], { cwd }: FileEdits, isLate = false): EditReport | undefined {
    return checksReport(reports, { cwd, level: this.#options.level(), isLate });
  }

  /** True if one of the files is checked by no server. */
  async #isAbout({ paths, cwd }: FileEdits): Promise<boolean> {
    for (const path of paths) if (!(await this.#options.isServed(path, cwd))) return true;
    return false;
  }

  async #hasChanged(cwd: string, { state }: Before): Promise<boolean> {
    return state !== undefined && state !== (await this.#options.port.state(cwd));
  }

  /** The verdict before a change; it is known if nothing has changed since the last run. */
  async #verdictBefore(cwd: string, signal: AbortSignal): Promise<CommandVerdict | undefined> {
    const { port, runs } = this.#options;
    const known = await this.#lastAt(cwd, await port.state(cwd));
    if (known) return known;
    // Another agent may wait for the same.
    const running = runs.runningIn(cwd);
    const run = running?.isBefore ? running : runs.start(port, cwd, { signal, isBefore: true });
    const end = await this.#inTime(run, signal);
    if (!end) run.stop();
    return end && "findings" in end ? end : undefined;
  }

  async #lastAt(cwd: string, state: string | undefined): Promise<CommandVerdict | undefined> {
    const last = this.#options.runs.last(cwd, this.#options.port.line);
    return state !== undefined && last?.state === state ? last : undefined;
  }

  async #inTime(run: RunningCheck, signal: AbortSignal) {
    const { clock, port } = this.#options;
    const over = new AbortController();
    const late = clock.sleep(port.waitMs, AbortSignal.any([signal, over.signal])).then(() => undefined);
    return await Promise.race([run.ended, late]).finally(() => over.abort());
  }

  #beforeOf({ agentId, turnId }: FileEdits): Before {
    const known = this.#before.get(agentId);
    if (known?.turnId === turnId) return known;
    const before: Before = { turnId };
    this.#before.delete(agentId);
    this.#before.set(agentId, before);
    const [oldest] = this.#before.keys();
    if (this.#before.size > MAX_AGENTS && oldest !== undefined) this.#before.delete(oldest);
    return before;
  }
}

function isStaged({ staged }: FileEdits): boolean {
  return staged !== undefined && staged.size > 0;
}
