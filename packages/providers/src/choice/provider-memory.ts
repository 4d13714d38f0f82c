import type { Clock } from "@harness/core";
import { KeptConnections } from "@harness/host";
import { ModelLists } from "../catalogues/model-lists.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import { EndpointQueues } from "../wires/queue/endpoint-queues.ts";
import { LearnedRefusals } from "../wires/request/learned-refusals.ts";

/** What servers list and what they refuse, the queues before them and the connections to them, shared by all choices of models. */
export class ProviderMemory {
  readonly lists: ModelLists;
  readonly queues = new EndpointQueues();
  readonly connections = new KeptConnections();
  readonly learned = new LearnedRefusals();

  constructor(clock: Clock, onWaiting?: (endpoints: readonly Endpoint[]) => void) {
    this.lists = new ModelLists(clock, onWaiting);
  }
}
