import type { Clock } from "@harness/core";
import { ModelLists } from "../catalogues/model-lists.ts";
import { EndpointQueues } from "../wires/queue/endpoint-queues.ts";

/** What servers list, and the queues before them, shared by all choices of models. */
export class ProviderMemory {
  readonly lists: ModelLists;
  readonly queues = new EndpointQueues();

  constructor(clock: Clock) {
    this.lists = new ModelLists(clock);
  }
}
