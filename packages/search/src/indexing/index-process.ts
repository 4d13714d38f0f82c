import type { Environment } from "@harness/host";
import { WorkerProcess } from "../workers/worker-process.ts";
import type { UpdateOutcome, UpdateProgress } from "./index-update.ts";
import type { IndexCommand, IndexerReport, UpdateOrder } from "./process/messages.ts";

/** Much is read and soon forgotten: small spaces for new values keep the process small. */
const PROGRAM = {
  bundled: "search-indexer.mjs",
  source: "../indexing/process/main.ts",
  nodeFlags: ["--max-semi-space-size=8"],
};
/** After this long without work the process ends: it then holds memory for nothing. */
const IDLE_MS = 120_000;

type UpdateWait = { resolve(end: UpdateEnd): void; onProgress(progress: UpdateProgress): void };

/** `problem`: a sentence. */
export type UpdateEnd = UpdateOutcome | { problem: string };

/** Starts the process that indexes folders when there is work, and ends it when there has been none for a while. */
export class IndexProcess {
  readonly #env: Environment;
  readonly #updates = new Map<number, UpdateWait>();
  #worker: WorkerProcess<IndexCommand, IndexerReport> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  #isPaused = false;

  constructor(env: Environment) {
    this.#env = env;
  }

  /** Never rejects. On abort it ends soon, with what is stored by then. */
  update(order: UpdateOrder, { signal, onProgress }: { signal: AbortSignal; onProgress: UpdateWait["onProgress"] }) {
    if (signal.aborted) return Promise.resolve<UpdateEnd>({ indexed: 0, removed: 0, isCut: true });
    const id = ++this.#lastId;
    return new Promise<UpdateEnd>((resolve) => {
      const cancel = () => this.#send({ type: "cancel", id });
      const end = (outcome: UpdateEnd) => {
        signal.removeEventListener("abort", cancel);
        resolve(outcome);
      };
      signal.addEventListener("abort", cancel);
      this.#updates.set(id, { resolve: end, onProgress });
      this.#send({ type: "update", id, ...order });
    });
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Whether work waits. */
  pause(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#worker?.send({ type: "pause", isPaused });
  }

  /** Ends the process; what it has stored stays. */
  close(): void {
    clearTimeout(this.#idle);
    this.#worker?.kill();
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
    if (this.#isPaused) worker.send({ type: "pause", isPaused: true });
    return worker;
  }

  #hear(worker: WorkerProcess<IndexCommand, IndexerReport>, report: IndexerReport): void {
    const waiting = this.#updates.get(report.id);
    if (report.type === "progress") {
      waiting?.onProgress(report);
      return;
    }
    this.#updates.delete(report.id);
    if (this.#updates.size === 0) {
      worker.keepsProcessAlive = false;
      this.#idle = setTimeout(() => this.close(), IDLE_MS).unref();
    }
    waiting?.resolve(report.type === "failed" ? { problem: report.problem } : report);
  }

  #end(worker: WorkerProcess<IndexCommand, IndexerReport>, how: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const problem = `The process that indexes ${how}. The files that it had stored are kept; try again.`;
    for (const [id, { resolve }] of this.#updates) {
      this.#updates.delete(id);
      resolve({ problem });
    }
  }
}
