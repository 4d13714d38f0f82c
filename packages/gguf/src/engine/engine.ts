import type { Environment } from "@harness/host";
import type { LoadMessage, Report, WorkerCommand } from "../worker/messages.ts";
import { EngineProcess } from "./engine-process.ts";
import { Mailbox } from "./mailbox.ts";

type LoadedReport = Extract<Report, { type: "loaded" }>;

/** Why there is no answer: the process ended, or could not load what it needs. */
export type EngineFault = {
  type: "fault";
  cause: "process" | "runtime" | "model" | "memory";
  message: string;
  /** The last lines of output. */
  lastOutput: string;
};

type JobReport = Extract<Report, { id: number }>;

/** A request for a reply in a slot, or for vectors. */
export type EngineTask = DistributiveOmit<Exclude<WorkerCommand, LoadMessage | { type: "cancel" }>, "id">;
type DistributiveOmit<T, Key extends string> = T extends unknown ? Omit<T, Key> : never;

const LAST_REPORTS: ReadonlySet<string> = new Set(["ended", "embedded", "refused", "fault"]);

export type EngineSettings = Omit<LoadMessage, "type"> & {
  env: Environment;
  /** How long the model stays in memory after a request. */
  keepAliveMs: number;
};

const MINUTE_MS = 60_000;
/** A large prompt may take minutes to read, but the worker reports its progress. */
const MAX_SILENT_MINUTES = 10;
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * A model that is loaded on the first request, stays for a while, and is loaded again after its process has ended for
 * whatever reason.
 */
export class Engine {
  #settings: EngineSettings;
  #life: EngineLife | undefined;
  #lastId = 0;
  #active = 0;
  #loadedSlots: number | undefined;
  #rest: NodeJS.Timeout | undefined;

  constructor(settings: EngineSettings) {
    this.#settings = settings;
  }

  /** The number of concurrent requests: the slots of the last load, which memory may have limited. */
  get slots(): number {
    return this.#loadedSlots ?? this.#settings.slots;
  }

  /** The context window of the running process, if there is one. */
  get contextWindow(): number | undefined {
    return this.pid === undefined ? undefined : this.#life?.contextWindow;
  }

  /** The id of the process, if there is one. */
  get pid(): number | undefined {
    return this.#life?.isOver ? undefined : this.#life?.process.pid;
  }

  /** Settings for the next load. An idle model is unloaded at once if it needs a larger context window. */
  configure(settings: EngineSettings): void {
    const isLarger = settings.contextWindow > this.#settings.contextWindow;
    const isOther = settings.runtime !== this.#settings.runtime;
    this.#settings = settings;
    if ((isLarger || isOther) && this.#active === 0) this.unload();
  }

  /** Running requests end with a fault that says the process has ended. */
  unload(): void {
    clearTimeout(this.#rest);
    this.#life?.process.kill();
    this.#life = undefined;
  }

  /** Ends with `ended`, `embedded`, `refused` or a fault; at once and without one if the signal aborts. */
  async *run(task: EngineTask, signal: AbortSignal): AsyncGenerator<JobReport | EngineFault> {
    clearTimeout(this.#rest);
    this.#active += 1;
    this.#lastId += 1;
    const id = this.#lastId;
    const life = this.#living();
    const over = new AbortController();
    // Counts only minutes in which harness runs: suspending the machine does not count as silence.
    let silentMinutes = 0;
    const watch = setInterval(() => {
      silentMinutes += 1;
      if (silentMinutes >= MAX_SILENT_MINUTES) life.abandon();
    }, MINUTE_MS).unref();
    let isAnswered = false;
    try {
      life.process.keepsProcessAlive = true;
      const loaded = await Promise.race([life.loading, aborted(signal, over.signal)]);
      if (loaded === undefined) return;
      if (loaded.type === "fault") {
        isAnswered = true;
        return yield loaded;
      }
      const mailbox = life.ask(id, task);
      while (!isAnswered) {
        const report = await mailbox.next(signal);
        if (!report) return;
        silentMinutes = 0;
        isAnswered = LAST_REPORTS.has(report.type);
        yield report;
      }
    } finally {
      over.abort();
      clearInterval(watch);
      life.leave(id, isAnswered);
      this.#active -= 1;
      if (this.#active === 0) this.#restThenUnload(life);
    }
  }

  #living(): EngineLife {
    if (!this.#life || this.#life.isOver)
      this.#life = new EngineLife(this.#settings, ({ slots }) => {
        this.#loadedSlots = slots;
      });
    return this.#life;
  }

  /** A program that has nothing else to do may exit meanwhile. */
  #restThenUnload(life: EngineLife): void {
    life.process.keepsProcessAlive = false;
    const { keepAliveMs } = this.#settings;
    if (life.isOver || keepAliveMs === Number.POSITIVE_INFINITY) return;
    this.#rest = setTimeout(() => this.unload(), Math.min(keepAliveMs, MAX_TIMER_MS)).unref();
  }
}

/** The life of one process, from its start to its end. */
class EngineLife {
  readonly process: EngineProcess;
  readonly loading: Promise<LoadedReport | EngineFault>;
  readonly contextWindow: number;
  readonly #mailboxes = new Map<number, Mailbox<JobReport | EngineFault>>();
  /** It can no longer be used. */
  isOver = false;
  #isGivenUp = false;
  #unloadable: Extract<Report, { type: "unloadable" }> | undefined;

  constructor({ env, keepAliveMs: _, ...order }: EngineSettings, onLoaded: (loaded: LoadedReport) => void) {
    const { promise, resolve } = Promise.withResolvers<LoadedReport | EngineFault>();
    this.loading = promise;
    this.contextWindow = order.contextWindow;
    const onReport = (report: Report) => {
      if (report.type === "loaded") {
        onLoaded(report);
        resolve(report);
      } else if (report.type === "unloadable") {
        // Its output is complete once it has ended, as it does now.
        this.isOver = true;
        this.#unloadable = report;
      } else this.#mailboxes.get(report.id)?.push(report);
    };
    this.process = new EngineProcess(env, onReport, (how) => {
      this.isOver = true;
      const fault = this.#faultAfter(how);
      resolve(fault);
      for (const mailbox of this.#mailboxes.values()) mailbox.push(fault);
    });
    this.process.send({ type: "load", ...order });
  }

  ask(id: number, task: EngineTask): Mailbox<JobReport | EngineFault> {
    const mailbox = new Mailbox<JobReport | EngineFault>();
    this.#mailboxes.set(id, mailbox);
    if (this.isOver) mailbox.push(this.#fault("process", "has ended"));
    else this.process.send({ ...task, id });
    return mailbox;
  }

  leave(id: number, isAnswered: boolean): void {
    if (this.#mailboxes.delete(id) && !isAnswered) this.process.send({ type: "cancel", id });
  }

  abandon(): void {
    this.#isGivenUp = true;
    this.process.kill();
  }

  #faultAfter(how: string): EngineFault {
    if (this.#unloadable) return this.#fault(this.#unloadable.cause, this.#unloadable.message);
    return this.#fault("process", this.#isGivenUp ? "sent nothing for ten minutes and was stopped" : how);
  }

  #fault(cause: EngineFault["cause"], message: string): EngineFault {
    return { type: "fault", cause, message, lastOutput: this.process.lastOutput };
  }
}

function aborted(signal: AbortSignal, over: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener("abort", () => resolve(undefined), { once: true, signal: over });
  });
}
