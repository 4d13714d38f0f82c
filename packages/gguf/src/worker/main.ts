import { openEmbedding, type VectorModel, vectorsOf } from "./embedding-model.ts";
import type { LoadMessage, Report, WorkerCommand } from "./messages.ts";
import { openModel } from "./open-model.ts";
import { Slot } from "./slot.ts";

// The process of a model file. It communicates over the pipe that `fork` makes, one JSON object per line, so that the
// output of llama.cpp cannot get in between. It ends with the process that started it.

process.on("disconnect", () => process.exit(0));
// Ctrl+C in a terminal reaches every process; whether to unload the model is harness's decision.
process.on("SIGINT", () => undefined);

/** The loaded model, and its jobs. */
class Worker {
  readonly #jobs = new Map<number, AbortController>();
  readonly #slots: Slot[] = [];
  #embedding: VectorModel | undefined;

  async obey(command: WorkerCommand): Promise<void> {
    if (command.type === "load") return this.#load(command);
    if (command.type === "cancel") return this.#jobs.get(command.id)?.abort();
    const { id } = command;
    const cancelled = new AbortController();
    this.#jobs.set(id, cancelled);
    if (command.type === "embed") {
      if (this.#embedding) report(await vectorsOf(this.#embedding, id, command.texts, cancelled.signal));
    } else {
      const free = this.#slots[command.slot] ?? this.#slots[0];
      if (free) report(await free.run(id, command.job, cancelled.signal, report));
    }
    this.#jobs.delete(id);
  }

  async #load(order: LoadMessage): Promise<void> {
    if (order.use) return this.#loadEmbedding(order);
    const opened = await openModel(order);
    if ("type" in opened) return giveUp(opened);
    const first = new Slot(opened);
    this.#slots.push(first);
    while (this.#slots.length < opened.slots) this.#slots.push(new Slot(opened, first));
    report({
      type: "loaded",
      contextWindow: opened.context.contextSize,
      trainedTokens: opened.model.trainContextSize,
      slots: opened.slots,
      threads: opened.threads,
    });
  }

  async #loadEmbedding(order: LoadMessage): Promise<void> {
    const opened = await openEmbedding(order);
    if ("type" in opened) return giveUp(opened);
    this.#embedding = opened;
    const { maxTokens } = opened;
    report({ type: "loaded", contextWindow: maxTokens, trainedTokens: maxTokens, slots: 1, threads: 1 });
  }
}

async function giveUp(report: Extract<Report, { type: "unloadable" }>): Promise<void> {
  // The log of llama.cpp, written by threads of its own, arrives with the next turns of the event loop.
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  // Exits once the message is sent.
  process.send?.(report, () => process.exit(1));
}

function report(message: Report): void {
  // A closed pipe means that the parent has exited: `disconnect` ends the process.
  if (process.connected) process.send?.(message);
}

const worker = new Worker();
process.on("message", (command: WorkerCommand) => void worker.obey(command));
