import type { Order, Report } from "../worker-messages.ts";
import { openModel } from "./open-model.ts";
import { Slot } from "./slot.ts";

// The process of a model file. It talks over the pipe that `fork` makes, one JSON object a line: what llama.cpp prints
// goes elsewhere and cannot get in between. It ends with whoever started it.

process.on("disconnect", () => process.exit(0));
// Ctrl+C in a terminal reaches every process; whether the model goes is harness's decision.
process.on("SIGINT", () => undefined);

const jobs = new Map<number, AbortController>();
let slots: Slot[] = [];

const report = (message: Report) => {
  // A pipe that is gone means that nobody listens: `disconnect` ends the process.
  if (process.connected) process.send?.(message);
};

process.on("message", (order: Order) => void obey(order));

async function obey(order: Order): Promise<void> {
  if (order.type === "load") return load(order);
  if (order.type === "cancel") return jobs.get(order.id)?.abort();
  const { id, slot, job } = order;
  const cancelled = new AbortController();
  jobs.set(id, cancelled);
  const place = slots[slot] ?? slots[0];
  if (place) report(await place.run(id, job, cancelled.signal, report));
  jobs.delete(id);
}

async function load(order: Extract<Order, { type: "load" }>): Promise<void> {
  const opened = await openModel(order);
  if ("type" in opened) {
    // Ends when the message is out.
    process.send?.(opened, () => process.exit(1));
    return;
  }
  slots = Array.from({ length: opened.slots }, () => new Slot(opened));
  report({
    type: "loaded",
    windowTokens: opened.context.contextSize,
    trainedTokens: opened.model.trainContextSize,
    slots: opened.slots,
    threads: opened.threads,
  });
}
