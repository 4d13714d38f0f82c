import { constants, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type Lock, waitForLock } from "@harness/host";
import { ChunkPool } from "../../chunks/chunk-pool.ts";
import { commitLogPath, updateCommitLog } from "../../history/commit-log.ts";
import { type IndexLocation, openIndexStore, removeIndexStore } from "../../store/stores.ts";
import { IndexUpdate, type UpdateOutcome } from "../index-update.ts";
import { PauseGate } from "../pause-gate.ts";
import type { IndexCommand, IndexerReport, UpdateOrder } from "./messages.ts";
import { VectorWriters } from "./vector-writers.ts";

// The process that reads folders into their indexes. It works at the lowest priority, and ends with the process that
// started it.

process.on("disconnect", () => process.exit(0));
// Ctrl+C in a terminal reaches every process; the process that started this one decides what it ends.
process.on("SIGINT", () => undefined);
try {
  setPriority(constants.priority.PRIORITY_LOW);
} catch {
  // Only the system's rules forbid it; the work is the same.
}

/** Another process that indexes the same folder needs minutes at most. */
const LOCK_MS = 600_000;
const lockClock = {
  now: Date.now,
  monotonicMs: () => performance.now(),
  sleep: (ms: number, signal?: AbortSignal) => sleep(ms, undefined, signal ? { signal } : {}).catch(() => undefined),
};

class Indexer {
  readonly #pool = new ChunkPool();
  readonly #pause = new PauseGate();
  readonly #cancels = new Map<number, AbortController>();
  readonly #vectors = new VectorWriters(lockClock);
  #last: Promise<void> = Promise.resolve();

  obey(command: IndexCommand): void {
    if (command.type === "pause") this.#pause.isClosed = command.isPaused;
    else if (command.type === "vectors") void this.#answer(command);
    else if (command.type === "cancel") {
      this.#cancels.get(command.id)?.abort();
      this.#pause.letThrough();
    } else if (command.type === "remove") void this.#remove(command).then(report);
    else {
      const cancel = new AbortController();
      this.#cancels.set(command.id, cancel);
      this.#last = this.#last.then(async () => {
        report(await this.#update(command.id, command, cancel.signal));
        this.#cancels.delete(command.id);
      });
    }
  }

  async #answer(command: Extract<IndexCommand, { type: "vectors" }>): Promise<void> {
    const { id } = command;
    try {
      report({ type: "answer", id, answer: await this.#vectors.answer(command) });
    } catch (error) {
      report({ type: "failed", id, problem: `The vectors of the index could not be written: ${messageOf(error)}.` });
    }
  }

  async #remove({ id, ...location }: IndexLocation & { id: number }): Promise<IndexerReport> {
    try {
      await removeIndexStore(location, lockClock);
      return { type: "done", id, indexed: 0, removed: 0, isCut: false };
    } catch (error) {
      return { type: "failed", id, problem: `The index could not be deleted: ${messageOf(error)}.` };
    }
  }

  async #update(id: number, order: UpdateOrder, signal: AbortSignal): Promise<IndexerReport> {
    try {
      const lock = await waitForLock(`${order.database}.lock`, LOCK_MS, lockClock, signal);
      if (!("release" in lock)) return { type: "failed", id, problem: "Another harness is indexing this folder." };
      return { type: "done", id, ...(await this.#locked(id, order, { signal, lock })) };
    } catch (error) {
      return { type: "failed", id, problem: `The index could not be written: ${messageOf(error)}.` };
    }
  }

  async #locked(
    id: number,
    order: UpdateOrder,
    { signal, lock }: { signal: AbortSignal; lock: Lock },
  ): Promise<UpdateOutcome> {
    const store = await openIndexStore(order, lockClock);
    try {
      const outcome = await new IndexUpdate(store, this.#pool, {
        ...order,
        signal,
        onProgress: (progress) => report({ type: "progress", id, ...progress }),
        turn: () => this.#pause.pass(),
        nowMs: Date.now,
      }).run();
      await updateHistory(order, signal);
      return outcome;
    } finally {
      await store.close();
      lock.release();
    }
  }
}

/** Searches are worse without the history, and possible. */
async function updateHistory({ folder, database, gitEnv }: UpdateOrder, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  try {
    await updateCommitLog(commitLogPath(database), { cwd: folder, env: gitEnv, signal });
  } catch {
    // The disk is full, or someone removes the index: the next update tries again.
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
}

function report(message: IndexerReport): void {
  // A closed pipe means that the parent has exited: `disconnect` ends the process.
  if (process.connected) process.send?.(message);
}

const indexer = new Indexer();
process.on("message", (command: IndexCommand) => indexer.obey(command));
