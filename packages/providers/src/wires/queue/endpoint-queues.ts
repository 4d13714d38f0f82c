import type { Endpoint } from "../endpoint/endpoint.ts";
import { EndpointQueue } from "./endpoint-queue.ts";

/** The queue of an endpoint, and the numbers of its slots. */
export type Admission = {
  /** Absent: no limit. */
  readonly queue?: Pick<EndpointQueue, "enter" | "slots">;
  /** Slots of the requested model; a router may have a different number for each of its models. */
  readonly slots: number;
  /** The number of the first slot. */
  readonly firstSlot: number;
  /** True if it reads prompts slowly, so that the start of reading is reported. */
  readonly near: boolean;
};

/** The parts of an endpoint that its queue depends on. */
type QueuedEndpoint = Pick<Endpoint, "baseUrl" | "near"> & { vendor: Pick<Endpoint["vendor"], "local"> };

/** One queue per server: all its users in this process wait in the same line. */
export class EndpointQueues {
  readonly #queues = new Map<string, EndpointQueue>();

  /** `slots`: requests that the server handles at once; absent: no limit. */
  of(endpoint: Endpoint, slots: number | undefined): Admission {
    const { near } = endpoint;
    if (slots === undefined) return { slots: 0, firstSlot: 0, near };
    const queue = this.#queueOf(serverOf(endpoint.baseUrl), slots);
    queue.setSlots(slots);
    // Processes do not know of each other: with the same first slot, their sessions would compete for it.
    return { queue, slots, firstSlot: process.pid % slots, near };
  }

  /**
   * The queue of a server for requests that wait behind all turns: one slot, unless the choice of a chat model has found
   * more. Undefined: a hosted vendor needs none.
   */
  behind({ baseUrl, near, vendor }: QueuedEndpoint): Admission["queue"] {
    const server = serverOf(baseUrl);
    const known = this.#queues.get(server);
    return known ?? (near || vendor.local ? this.#queueOf(server, 1) : undefined);
  }

  /** The queue of a program that runs a model on this machine; its slots may change with each load of the model. */
  ofProgram(address: string, program: { readonly slots?: number }): Admission {
    if (program.slots === undefined) return { slots: 0, firstSlot: 0, near: true };
    const queue = this.#queueOf(address, program.slots);
    const slots = () => program.slots ?? 1;
    return {
      queue: {
        enter(newcomer) {
          queue.setSlots(slots());
          return queue.enter(newcomer);
        },
        get slots() {
          return queue.slots;
        },
      },
      get slots() {
        return slots();
      },
      firstSlot: 0,
      near: true,
    };
  }

  #queueOf(server: string, slots: number): EndpointQueue {
    const queue = this.#queues.get(server) ?? new EndpointQueue(slots);
    this.#queues.set(server, queue);
    return queue;
  }
}

function serverOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl;
}
