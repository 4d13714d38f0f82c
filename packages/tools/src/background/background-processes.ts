import type { ProcessChange } from "@harness/core";
import type { ProcessView, BackgroundProcessView as StoredProcess } from "@harness/protocol";
import type { EncodingSettings } from "../encodings/file-encoding.ts";
import { fileProblem } from "../files/file-problem.ts";
import { OwnProcess } from "../process/own-process.ts";
import { KEPT_FILE } from "../process/process-mark.ts";
import { BackgroundProcess, type ProcessIdentity, type Who } from "./background-process.ts";
import { foundGroup, startGroup } from "./group-life.ts";
import { keptPathOf, readKept } from "./kept-file.ts";
import { listeningPorts } from "./listening-ports.ts";
import { OutputFile } from "./output-file.ts";
import { inputPathOf } from "./process-input.ts";

const MAX_RUNNING = 20;
/** Ended processes whose output is still available. */
const MAX_ENDED = 50;
const GRACE_MS = 2_000;

type ProcessOptions = Omit<ProcessIdentity, "processId"> & {
  run: { command: string; words?: readonly string[]; cwd: string; env: Record<string, string> };
  /** An empty private file for its output. */
  outputPath: string;
  /** The signal of the call that starts it; aborting it later stops nothing. */
  signal: AbortSignal;
  /** Cleans up after the process; resolves with a note for the model. */
  finish(): Promise<string | undefined>;
};

/** Called in the order of events; `agentId`: the agent that started the process. */
export type ProcessListener = (agentId: string, change: ProcessChange) => void;

/** The background processes of one session, which outlive its turns. */
export class BackgroundProcesses {
  readonly #own = new OwnProcess();
  readonly #processes = new Map<string, BackgroundProcess>();
  readonly #startedAt = new Map<string, string>();
  #listener: ProcessListener = () => undefined;
  readonly #canKeep: boolean;
  readonly #settings: EncodingSettings;
  #lastNumber = 0;
  #isClosed = false;
  /** They count as running from the beginning of their start. */
  #starting = 0;

  /** `canKeep`: false for a session whose files are removed when it is closed. */
  constructor({ canKeep, settings = {} }: { canKeep: boolean; settings?: EncodingSettings }) {
    this.#canKeep = canKeep;
    this.#settings = settings;
  }

  /**
   * Starts to report, and finds the processes that were kept when the session was closed. `isOwn`: whether the session
   * created an output file; a process with any other file counts as ended, and the file is left alone.
   */
  follow(listener: ProcessListener, known: Iterable<StoredProcess>, isOwn: (path: string) => boolean): void {
    this.#listener = listener;
    for (const stored of known) {
      this.#lastNumber = Math.max(this.#lastNumber, Number(/\d+$/.exec(stored.processId)?.[0] ?? 0));
      if (stored.state === "running" && stored.kept) this.#find(stored, isOwn);
    }
  }

  /** Starts a command, or returns why not. */
  async start(options: ProcessOptions): Promise<BackgroundProcess | { problem: string }> {
    if (this.running().length + this.#starting >= MAX_RUNNING) {
      return { problem: `${MAX_RUNNING} processes already run in the background: stop one that is no longer needed.` };
    }
    this.#starting += 1;
    try {
      return await this.#start(options);
    } finally {
      this.#starting -= 1;
    }
  }

  async #start(options: ProcessOptions): Promise<BackgroundProcess | { problem: string }> {
    let output: OutputFile;
    try {
      output = new OutputFile(options.outputPath, this.#settings);
    } catch (error) {
      return { problem: `Its output cannot be saved: ${fileProblem(error)}.` };
    }
    const { path, descriptor } = output;
    // Programs buffer their output without a terminal; Python has a variable against that.
    const env = { PYTHONUNBUFFERED: "1", ...options.run.env, [KEPT_FILE]: keptPathOf(path) };
    const refusal = () =>
      this.#isClosed
        ? "the session is being closed"
        : options.signal.aborted
          ? "it was cancelled before that"
          : undefined;
    const inputPath = inputPathOf(path);
    const group = await startGroup({ ...options.run, env, descriptor, inputPath, own: this.#own, refusal });
    if ("problem" in group) {
      output.close();
      return { problem: `The command could not be started: ${group.problem}.` };
    }
    const processId = `p${++this.#lastNumber}`;
    const { agentId, command, isContained, finish } = options;
    const changed = (change: ProcessChange) => this.#listener(agentId, change);
    const identity = { processId, agentId, command, isContained, cwd: options.run.cwd };
    const parts = { identity, output, group, changed, finish };
    return this.#add(new BackgroundProcess(parts, { kept: false }), new Date().toISOString(), true);
  }

  /** `p2`, or `2`. */
  find(processId: string): BackgroundProcess | undefined {
    return this.#processes.get(processId) ?? this.#processes.get(`p${processId}`);
  }

  running(): BackgroundProcess[] {
    return [...this.#processes.values()].filter(({ end }) => !end);
  }

  /** Running ones first, each group in the order of starting. */
  async views(): Promise<ProcessView[]> {
    const all = [...this.#processes.values()];
    const ordered = [...all.filter(({ end }) => !end), ...all.filter(({ end }) => end)];
    return Promise.all(ordered.map((each) => this.view(each)));
  }

  async view(each: BackgroundProcess): Promise<ProcessView> {
    const { stoppedBy: _by, matched: _matched, lastLines: _lines, note: _note, ...state } = each.state;
    return {
      ...state,
      agentId: each.agentId,
      startedAt: this.#startedAt.get(each.processId) ?? "",
      ports: each.end ? [] : await listeningPorts(each.group),
      lastLine: each.lastLines(1),
      outputBytes: each.output.end,
    };
  }

  /** Lets a process outlive the session, or revokes that; returns why it cannot. */
  keep(each: BackgroundProcess, { isKept }: { isKept: boolean }): string | undefined {
    if (each.end) return "it has ended";
    if (isKept && !this.#canKeep) return "this session leaves nothing behind";
    if (isKept && each.isContained) return "it runs in the sandbox, which ends with the session";
    try {
      each.keep(isKept);
      return undefined;
    } catch (error) {
      return fileProblem(error);
    }
  }

  /** Call before the session is deleted: a kept process could no longer be listed or stopped. */
  keepNone(): void {
    for (const each of this.running()) this.keep(each, { isKept: false });
  }

  stop(each: BackgroundProcess, by: Who): Promise<void> {
    return each.stop(by, GRACE_MS);
  }

  /** Ends the processes that these agents started, including kept ones, and returns their commands. */
  async endOf(agentIds: readonly string[], by: Who): Promise<string[]> {
    const own = this.running().filter(({ agentId }) => agentIds.includes(agentId));
    await Promise.all(own.map((each) => this.stop(each, by)));
    return own.map(({ state }) => state.command);
  }

  /** Ends all but the kept ones, within `graceMs` plus the time that a kill takes. */
  async close(graceMs: number): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.running().map((each) => (each.isKept ? undefined : each.stop("session", graceMs))));
    for (const each of this.#processes.values()) each.release();
    this.#processes.clear();
  }

  #find(stored: StoredProcess, isOwn: (path: string) => boolean): void {
    const { processId, agentId, command, outputPath, startedAt } = stored;
    const changed = (change: ProcessChange) => this.#listener(agentId, change);
    const kept = isOwn(outputPath) ? readKept(outputPath) : undefined;
    const group = kept && foundGroup(kept);
    try {
      if (!group) throw new Error("It has ended.");
      const output = new OutputFile(outputPath, this.#settings);
      const finish = () => Promise.resolve(undefined);
      const identity = { processId, agentId, command, isContained: false };
      const parts = { identity, output, group, changed, finish };
      const found = new BackgroundProcess(parts, { kept: true });
      found.seen = output.end;
      this.#add(found, startedAt, false);
    } catch {
      const { pid } = stored;
      changed({ processId, command, state: "exited", outputPath, kept: false, ...(pid === undefined ? {} : { pid }) });
    }
  }

  #add(added: BackgroundProcess, startedAt: string, isNew: boolean): BackgroundProcess {
    this.#processes.set(added.processId, added);
    this.#startedAt.set(added.processId, startedAt);
    if (isNew) this.#listener(added.agentId, added.state);
    const [oldest, ...others] = [...this.#processes.values()].filter(({ end }) => end);
    if (oldest && others.length >= MAX_ENDED) {
      oldest.release();
      this.#processes.delete(oldest.processId);
    }
    return added;
  }
}
