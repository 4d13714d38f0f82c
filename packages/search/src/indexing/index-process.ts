import type { Environment } from "@harness/host";
import type { IndexLocation } from "../store/stores.ts";
import { WorkerProcess } from "../workers/worker-process.ts";
import type { UpdateOutcome, UpdateProgress } from "./index-update.ts";
import { PauseGate } from "./pause-gate.ts";
import type { IndexCommand, IndexerReport, UpdateOrder, VectorTarget } from "./process/messages.ts";
import { VectorWriter } from "./vector-writer.ts";

/** Much is read and soon forgotten: small spaces for new values keep the process small. */
const PROGRAM = {
  bundled: "search-indexer.mjs",
  source: "../indexing/process/main.ts",
  nodeFlags: ["--max-semi-space-size=2"],
};
/** After this long without work the process ends: it then holds memory for nothing. */
const IDLE_MS = 120_000;

/** `hear`: called with each report; `progress` is followed by others. */
type ReportWait = { hear(report: IndexerReport): void };

type UpdateWatch = { signal: AbortSignal; onProgress(progress: UpdateProgress): void };
type VectorCall = Extract<IndexCommand, { type: "vectors" }>;

/** `problem`: a sentence. */
export type UpdateEnd = UpdateOutcome | { problem: string };

/** Starts the process that indexes folders when there is work, and ends it when there has been none for a while. */
export class IndexProcess {
  readonly #env: Environment;
  readonly #waits = new Map<number, ReportWait>();
  readonly #pause = new PauseGate();
  #worker: WorkerProcess<IndexCommand, IndexerReport> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  /** How many passes make vectors; between their steps the process has nothing to do. */
  #passes = 0;

  constructor(env: Environment) {
    this.#env = env;
  }

  /** Never rejects. On abort it ends soon, with what is stored by then. */
  update(order: UpdateOrder, { signal, onProgress }: UpdateWatch): Promise<UpdateEnd> {
    if (signal.aborted) return Promise.resolve<UpdateEnd>({ indexed: 0, removed: 0, isCut: true });
    const id = ++this.#lastId;
    return new Promise<UpdateEnd>((resolve) => {
      const cancel = () => this.#send({ type: "cancel", id });
      signal.addEventListener("abort", cancel);
      this.#waits.set(id, {
        hear(report) {
          if (report.type === "progress") return onProgress(report);
          signal.removeEventListener("abort", cancel);
          if (report.type === "done") resolve(report);
          else if (report.type === "failed") resolve({ problem: report.problem });
        },
      });
      this.#send({ type: "update", id, ...order });
    });
  }

  /** Calls `write` with what stores the vectors of an index. Rejects with an error whose message is a sentence. */
  async withVectors<T>(target: VectorTarget, write: (writer: VectorWriter) => Promise<T>): Promise<T> {
    this.#passes += 1;
    try {
      const writer = new VectorWriter((command) => this.#ask({ type: "vectors", ...target, ...command }));
      await writer.open();
      try {
        return await write(writer);
      } finally {
        // If it fails, the pass has a problem of its own; or its process has ended, and the lock with it.
        await writer.close().catch(() => undefined);
      }
    } finally {
      this.#passes -= 1;
      this.#rest();
    }
  }

  /** Deletes an index that is not being updated. Never rejects. */
  remove(location: IndexLocation): Promise<UpdateEnd> {
    const id = ++this.#lastId;
    return new Promise<UpdateEnd>((resolve) => {
      this.#waits.set(id, {
        hear(report) {
          if (report.type === "done") resolve(report);
          else if (report.type === "failed") resolve({ problem: report.problem });
        },
      });
      this.#send({ type: "remove", id, ...location });
    });
  }

  get isPaused(): boolean {
    return this.#pause.isClosed;
  }

  /** Whether work waits. */
  pause(isPaused: boolean): void {
    this.#pause.isClosed = isPaused;
    this.#worker?.send({ type: "pause", isPaused });
  }

  /** Resolves when work goes on, or the signal aborts. */
  async pass(signal: AbortSignal): Promise<void> {
    const abort = () => this.#pause.letThrough();
    signal.addEventListener("abort", abort);
    while (this.isPaused && !signal.aborted) await this.#pause.pass();
    signal.removeEventListener("abort", abort);
  }

  /** Ends the process; what it has stored stays. */
  close(): void {
    clearTimeout(this.#idle);
    this.#worker?.kill();
  }

  #ask(command: Omit<VectorCall, "id">): Promise<unknown> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waits.set(id, {
        hear(report) {
          if (report.type === "answer") resolve(report.answer);
          else if (report.type === "failed") reject(new Error(report.problem));
        },
      });
      this.#send({ ...command, id } as VectorCall);
    });
  }

  #send(command: IndexCommand): void {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    this.#worker.keepsProcessAlive = true;
    this.#worker.send(command);
  }

  #start(): WorkerProcess<IndexCommand, IndexerReport> {
    const worker = new WorkerProcess<IndexCommand, IndexerReport>(PROGRAM, this.#env, {
      onReport: (report) => this.#hear(worker, report),
      onEnd: (how) => this.#end(worker, how),
    });
    if (this.isPaused) worker.send({ type: "pause", isPaused: true });
    return worker;
  }

  #hear(worker: WorkerProcess<IndexCommand, IndexerReport>, report: IndexerReport): void {
    const waiting = this.#waits.get(report.id);
    if (report.type !== "progress") this.#waits.delete(report.id);
    waiting?.hear(report);
    if (this.#waits.size === 0) worker.keepsProcessAlive = false;
    this.#rest();
  }

  /** Ends the process after a while, unless there is work. */
  #rest(): void {
    if (this.#waits.size > 0 || this.#passes > 0) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.close(), IDLE_MS).unref();
  }

  #end(worker: WorkerProcess<IndexCommand, IndexerReport>, how: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const problem = `The process that indexes ${how}. The files that it had stored are kept; try again.`;
    for (const [id, waiting] of this.#waits) {
      this.#waits.delete(id);
      waiting.hear({ type: "failed", id, problem });
    }
  }
}
