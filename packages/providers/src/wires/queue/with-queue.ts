import type { ModelRequest } from "@harness/core";
import type { WireEvent, WireProvider } from "../wire-api.ts";
import type { Ticket } from "./endpoint-queue.ts";
import type { Admission } from "./endpoint-queues.ts";

/**
 * Lets requests through when it is their turn, and tells meanwhile how many go before. It belongs inside of the retry,
 * so that nobody keeps a slot while he sleeps. The slot is given back before the last event is handed on, for whoever
 * gets it may take his time, or start a subagent that needs the slot.
 */
export function withQueue(provider: WireProvider, admission: Admission): WireProvider {
  const { queue, near } = admission;
  if (!queue && !near) return provider;
  return {
    id: provider.id,
    async *stream(request, signal) {
      const ticket = queue?.enter(request);
      try {
        if (ticket && queue) yield* wait(ticket, queue, signal);
        if (signal.aborted) {
          ticket?.leave();
          yield { type: "end", parts: [], stop: "cut" };
          return;
        }
        if (near) yield { type: "status", phase: "prefill" };
        for await (const event of provider.stream(placed(request, ticket, admission), signal)) {
          if (event.type === "end" || event.type === "failed") ticket?.leave();
          yield event;
        }
      } finally {
        ticket?.leave();
      }
    },
  };
}

async function* wait(
  ticket: Ticket,
  queue: NonNullable<Admission["queue"]>,
  signal: AbortSignal,
): AsyncGenerator<WireEvent> {
  let told = 0;
  while (ticket.slot === undefined && !signal.aborted) {
    const { ahead } = ticket;
    if (ahead === told) await ticket.changed(signal);
    else yield { type: "status", phase: "queued", ahead, slots: queue.slots };
    told = ahead;
  }
}

/** With one slot there is nothing to choose; a number that the server does not have is one it may wait for, for ever. */
function placed(request: ModelRequest, ticket: Ticket | undefined, { slots, firstSlot }: Admission): ModelRequest {
  const slot = ticket?.slot;
  if (slot === undefined || slots < 2 || slot >= slots) return request;
  return { ...request, slot: (slot + firstSlot) % slots };
}
