import { type FSWatcher, watch } from "node:fs";
import type { ProcessChange } from "@harness/core";
import { endGroup, endWithUs } from "../process/process-group.ts";
import { plainText } from "../text/plain-text.ts";
import type { GroupEnd, GroupLife } from "./group-life.ts";
import { removeKept, writeKept } from "./kept-file.ts";
import { lastPart } from "./last-part.ts";
import type { LineWatch } from "./line-watch.ts";
import type { OutputFile } from "./output-file.ts";
import { inputPathOf, removeInput, sendWhenOpen } from "./process-input.ts";

/** The shortest interval between two looks at the output. */
const LOOK_MS = 100;
const TAIL_BYTES = 4_000;
/** A progress bar prints many times as many bytes as its last frames have. */
const LOOKED_AT_BYTES = 256_000;
const LAST_LINES = 5;
const MAX_LAST_CHARS = 1_000;
/** Sent alone, it interrupts the running program. */
export const INTERRUPT = "\x03";
const ENDED = "it has ended";
/** A sandbox on a busy machine starts within this time. */
const MAX_START_MS = 5_000;
/** Longer input is not remembered: its meaning counts as unknown. */
const MAX_RECEIVED = 20_000;

export type Who = NonNullable<ProcessChange["stoppedBy"]>;
export type ProcessIdentity = {
  processId: string;
  agentId: string;
  command: string;
  isContained: boolean;
  /** The folder it was started in; absent: no longer known. */
  cwd?: string;
};

type BackgroundProcessDeps = {
  identity: ProcessIdentity;
  output: OutputFile;
  group: GroupLife;
  /** Called after an event that agents and people need to hear of. */
  changed(change: ProcessChange): void;
  /** Cleans up after the process; resolves with a note for the model. */
  finish(): Promise<string | undefined>;
};

/** A background process: its output, its input, and its end. */
export class BackgroundProcess {
  readonly #deps: BackgroundProcessDeps;
  readonly #waiting = new Set<() => void>();
  readonly #watcher: FSWatcher | undefined;
  #looking: NodeJS.Timeout | undefined;
  #lineWatch: LineWatch | undefined;
  #matched: string | undefined;
  #stopsWithUs: (() => void) | undefined;
  #end: GroupEnd | undefined;
  #stoppedBy: Who | undefined;
  #kept: boolean;
  #isReleased = false;
  #received: string | undefined;
  #sent: Promise<unknown> = Promise.resolve();
  readonly #startedMs = performance.now();
  /** The offset up to which the agent has seen the output. */
  seen = 0;
  /** True if a call is waiting for the line and will report it in its result. */
  isAwaited = false;
  /** Resolves when it has ended and its end was announced. */
  readonly ended: Promise<void>;

  /** `kept`: started by an earlier harness and kept running for the user. */
  constructor(deps: BackgroundProcessDeps, { kept }: { kept: boolean }) {
    this.#deps = deps;
    this.#kept = kept;
    this.#received = kept ? undefined : "";
    if (!kept) this.#stopsWithUs = endWithUs(deps.group.groupId);
    this.#watcher = this.#watch();
    this.ended = deps.group.over.then((end) => this.#hasEnded(end));
  }

  get processId(): string {
    return this.#deps.identity.processId;
  }

  get agentId(): string {
    return this.#deps.identity.agentId;
  }

  get command(): string {
    return this.#deps.identity.command;
  }

  get isContained(): boolean {
    return this.#deps.identity.isContained;
  }

  get cwd(): string | undefined {
    return this.#deps.identity.cwd;
  }

  /** Everything that it was sent; undefined: unknown, or too much. */
  get received(): string | undefined {
    return this.#received;
  }

  get group(): GroupLife {
    return this.#deps.group;
  }

  get output(): OutputFile {
    return this.#deps.output;
  }

  /** Undefined while it runs. */
  get end(): GroupEnd | undefined {
    return this.#end;
  }

  get isKept(): boolean {
    return this.#kept;
  }

  /** The awaited line, once it was printed. */
  get matched(): string | undefined {
    return this.#matched;
  }

  get state(): ProcessChange {
    const { identity, group, output } = this.#deps;
    const { processId, command } = identity;
    const isOver = this.#end !== undefined;
    return {
      processId,
      command,
      state: !isOver ? "running" : this.#stoppedBy ? "stopped" : "exited",
      pid: group.groupId,
      outputPath: output.path,
      kept: this.#kept,
      ...this.#end,
      ...(isOver && this.#stoppedBy ? { stoppedBy: this.#stoppedBy } : {}),
    };
  }

  /** The last lines as plain text. */
  lastLines(count = LAST_LINES): string {
    const { output } = this.#deps;
    const { bytes } = lastPart(output, Math.max(0, output.end - LOOKED_AT_BYTES), TAIL_BYTES);
    const lines = plainText(output.decode(bytes)).trimEnd().split("\n");
    return lines.slice(-count).join("\n").slice(-MAX_LAST_CHARS).toWellFormed();
  }

  /** Announces the first matching line from now on, once. */
  watchFor(lineWatch: LineWatch): void {
    this.#lineWatch = lineWatch;
    this.#matched = undefined;
    this.#look();
  }

  /** Resolves with why the text could not be sent completely. Texts arrive in the order of the calls. */
  send(text: string): Promise<string | undefined> {
    const sent = this.#sent.then(() => this.#send(text));
    this.#sent = sent;
    return sent;
  }

  async #send(text: string): Promise<string | undefined> {
    if (this.#end) return ENDED;
    if (text !== INTERRUPT) {
      const problem = await sendWhenOpen(inputPathOf(this.output.path), text, () => this.#isStarting);
      if (this.#end && problem !== undefined) return ENDED;
      const received = (this.#received ?? "") + text;
      if (problem !== undefined || received.length > MAX_RECEIVED) this.#received = undefined;
      else if (this.#received !== undefined) this.#received = received;
      return problem;
    }
    try {
      process.kill(-this.group.groupId, "SIGINT");
      return undefined;
    } catch {
      return ENDED;
    }
  }

  /** True while its shell may not have opened the input: nothing was printed, and little time has passed. */
  get #isStarting(): boolean {
    if (this.#end || this.#kept || this.output.end > 0) return false;
    return performance.now() - this.#startedMs < MAX_START_MS;
  }

  /** Ends it and everything that it has started; resolves when it has ended. */
  async stop(by: Who, graceMs: number): Promise<void> {
    if (this.#end) return;
    this.#stoppedBy ??= by;
    const { groupId, callId } = this.group;
    await endGroup({ groupId, callId, output: this.output.path }, graceMs);
    await this.ended;
  }

  /** Lets it outlive its session and harness, or revokes that. Throws file system errors. */
  keep(isKept: boolean): void {
    if (this.#end || this.#kept === isKept) return;
    const { groupId, callId, start } = this.group;
    if (isKept) {
      writeKept(this.output.path, { groupId, callId, start });
      this.#stopsWithUs?.();
      this.#stopsWithUs = undefined;
    } else {
      removeKept(this.output.path);
      this.#stopsWithUs = endWithUs(groupId);
    }
    this.#kept = isKept;
    this.#deps.changed(this.state);
  }

  /** Resolves on new output, a match or its end, after `ms` at the latest, or when the signal aborts. */
  news(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#end || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#waiting.add(done);
      signal.addEventListener("abort", done, { once: true });
    });
  }

  /** Stops following it: a kept process continues without us. */
  release(): void {
    this.#isReleased = true;
    this.#watcher?.close();
    clearTimeout(this.#looking);
    this.#stopsWithUs?.();
    this.group.unref();
    this.output.close();
  }

  #watch(): FSWatcher | undefined {
    const soon = () => {
      this.#looking ??= setTimeout(() => this.#look(), LOOK_MS);
    };
    try {
      const watcher = watch(this.output.path, { persistent: false }, soon);
      return watcher.on("error", () => undefined);
    } catch {
      // Out of file watches: the output is read when it is asked for.
      return undefined;
    }
  }

  #look(): void {
    clearTimeout(this.#looking);
    this.#looking = undefined;
    try {
      const found = this.#lineWatch?.look(this.output);
      if (found) {
        this.#lineWatch = undefined;
        this.#matched =
          "line" in found ? found.line : "(the pattern takes too long on this output and is no longer used)";
        if (!this.isAwaited) this.#deps.changed({ ...this.state, matched: this.#matched });
      }
      this.output.cut();
    } catch {
      // The file cannot be read at the moment, for example because the disk is full.
    }
    this.#wake();
  }

  #wake(): void {
    for (const waiting of [...this.#waiting]) waiting();
  }

  async #hasEnded(end: GroupEnd): Promise<void> {
    this.#stopsWithUs?.();
    this.#stopsWithUs = undefined;
    const { output, finish } = this.#deps;
    removeInput(inputPathOf(output.path));
    removeKept(output.path);
    const note = await finish().catch(() => undefined);
    // Its session is closed, so nobody is notified.
    if (this.#isReleased) return;
    this.#look();
    this.#watcher?.close();
    this.#end = end;
    const lastLines = this.lastLines();
    this.#deps.changed({ ...this.state, ...(lastLines === "" ? {} : { lastLines }), ...(note ? { note } : {}) });
    this.#wake();
  }
}
