import type { Clock } from "@harness/core";
import { ModelLists } from "../catalogues/model-lists.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import { EndpointQueues } from "../wires/queue/endpoint-queues.ts";

/** What servers list, and the queues before them, shared by all choices of models. */
export class ProviderMemory {
  readonly lists: ModelLists;
  readonly queues = new EndpointQueues();

  constructor(clock: Clock, onWaiting?: (endpoints: readonly Endpoint[]) => void) {
    this.lists = new ModelLists(clock, onWaiting);
  }
}
