import type { Endpoint } from "../endpoint/endpoint.ts";
import { EndpointQueue } from "./endpoint-queue.ts";

/** The queue of an endpoint, and the numbers of its slots. */
export type Admission = {
  /** Absent: it takes as many as come. */
  readonly queue?: Pick<EndpointQueue, "enter" | "slots">;
  /** Slots of the model that is asked; a router may have another number for each of its models. */
  readonly slots: number;
  /** The number of the first slot. */
  readonly firstSlot: number;
  /** Reads prompts slowly: the start of it is reported. */
  readonly near: boolean;
};

/** One queue per server: all that talk to it from this process wait in the same line. */
export class EndpointQueues {
  readonly #queues = new Map<string, EndpointQueue>();

  /** `slots`: requests that the server works on at a time; absent: as many as come. */
  of(endpoint: Endpoint, slots: number | undefined): Admission {
    const { near } = endpoint;
    if (slots === undefined) return { slots: 0, firstSlot: 0, near };
    const server = URL.canParse(endpoint.baseUrl) ? new URL(endpoint.baseUrl).host : endpoint.baseUrl;
    const queue = this.#queueOf(server, slots);
    queue.setSlots(slots);
    // Processes do not know of each other: with one first slot for all of them, their sessions would fight for it.
    return { queue, slots, firstSlot: process.pid % slots, near };
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
