import { type Lock, type LockClock, waitForLock } from "@harness/host";
import type { VectorCollection } from "../../embed/vector-collection.ts";
import { openIndexStore, type SearchStore } from "../../store/stores.ts";
import type { VectorCommand, VectorTarget } from "./messages.ts";

/** Another harness may make the vectors of the same folder, which can take hours. */
const LOCK_MS = 2_000;

type OpenWriter = { store: SearchStore; collection: VectorCollection; lock: Lock };

/** The indexes whose vectors are being made, each by one harness at a time. */
export class VectorWriters {
  readonly #clock: LockClock;
  readonly #open = new Map<string, OpenWriter>();

  constructor(clock: LockClock) {
    this.#clock = clock;
  }

  /** Rejects with the store's errors, and with a sentence if the index is taken. */
  async answer(command: VectorCommand): Promise<unknown> {
    const { database, embedder, step, ask } = command;
    if (step === "open") return this.#begin(command);
    const writer = this.#open.get(database);
    if (!writer) throw new Error("the process that indexes was started again; `harness index` goes on");
    const { store, collection } = writer;
    switch (step) {
      case "missing":
        return collection.missing(ask.limit);
      case "put":
        return collection.put(ask.vectors);
      case "giveUp":
        return collection.giveUp(ask.digests);
      case "progress":
        return collection.progress();
      case "adopt":
        return store.adopt(embedder.key);
      case "close":
        return this.#end(database, writer);
    }
  }

  async #begin({ embedder, ...target }: VectorTarget): Promise<void> {
    const { database } = target;
    const lock = await waitForLock(`${database}.vectors.lock`, LOCK_MS, this.#clock);
    if (!("release" in lock)) throw new Error("another harness makes those of this folder");
    try {
      const store = await openIndexStore(target, this.#clock);
      this.#open.set(database, { store, collection: await store.collection(embedder), lock });
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  async #end(database: string, { store, lock }: OpenWriter): Promise<void> {
    this.#open.delete(database);
    await store.close();
    lock.release();
  }
}
