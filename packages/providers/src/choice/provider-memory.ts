import type { Clock } from "@harness/core";
import { KeptConnections } from "@harness/host";
import { ModelLists } from "../catalogues/model-lists.ts";
import { ModelLoads } from "../loading/model-loads.ts";
import type { Endpoint } from "../wires/endpoint/endpoint.ts";
import { EndpointQueues } from "../wires/queue/endpoint-queues.ts";
import { LearnedRefusals } from "../wires/request/learned-refusals.ts";
import { Contact } from "../wires/retry/contact.ts";
import { ToolVerdicts } from "./tool-verdicts.ts";

/** Model lists, refusals, queues and connections, shared by all choices of models. */
export class ProviderMemory {
  readonly lists: ModelLists;
  readonly queues = new EndpointQueues();
  readonly connections = new KeptConnections();
  readonly loads: ModelLoads;
  readonly learned = new LearnedRefusals();
  readonly #contacts = new Map<string, Contact>();
  readonly #verdicts = new Map<string, ToolVerdicts>();

  constructor(clock: Clock, onWaiting?: (endpoints: readonly Endpoint[]) => void) {
    this.lists = new ModelLists(clock, onWaiting);
    this.loads = new ModelLoads(clock);
  }

  /** Whether requests have reached the server of an endpoint. */
  contactWith({ baseUrl }: Endpoint): Contact {
    const contact = this.#contacts.get(baseUrl) ?? new Contact();
    this.#contacts.set(baseUrl, contact);
    return contact;
  }

  /** Which tools a model at an endpoint accepts. */
  verdictsOf({ api, baseUrl }: Endpoint, model: string): ToolVerdicts {
    const key = JSON.stringify([api, baseUrl, model]);
    const verdicts = this.#verdicts.get(key) ?? new ToolVerdicts();
    this.#verdicts.set(key, verdicts);
    return verdicts;
  }
}
