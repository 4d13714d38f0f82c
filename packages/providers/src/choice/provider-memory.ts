import type { Clock } from "@harness/core";
import { ModelLists } from "../catalogues/model-lists.ts";
import { EndpointQueues } from "../wires/queue/endpoint-queues.ts";
import { ContextWindows } from "./context-windows.ts";

/** Knowledge about servers, and the queues before them, shared by all choices of models. */
export class ProviderMemory {
  readonly lists: ModelLists;
  readonly contextWindows: ContextWindows;
  readonly queues = new EndpointQueues();

  constructor(clock: Clock) {
    this.lists = new ModelLists(clock);
    this.contextWindows = new ContextWindows(clock);
  }
}
