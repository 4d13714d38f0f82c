import type { ModelRequest } from "@harness/core";
import type { WireEvent, WireProvider } from "../wire-api.ts";
import type { Ticket } from "./endpoint-queue.ts";
import type { Admission } from "./endpoint-queues.ts";

/**
 * Sends requests when a slot is free, and reports their place in the queue meanwhile. It belongs inside the retry, so
 * that no slot is held during a pause. The slot is released before the last event is passed on, because the consumer
 * may take long, or start a subagent that needs the slot.
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
        for await (const event of provider.stream(inSlot(request, ticket, admission), signal)) {
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
  let reported = 0;
  while (ticket.slot === undefined && !signal.aborted) {
    const { ahead } = ticket;
    if (ahead === reported) await ticket.changed(signal);
    else yield { type: "status", phase: "queued", ahead, slots: queue.slots };
    reported = ahead;
  }
}

/**
 * Adds the slot's number. Nothing is added for a single slot. A server may wait forever for a slot number that it does
 * not have.
 */
function inSlot(request: ModelRequest, ticket: Ticket | undefined, { slots, firstSlot }: Admission): ModelRequest {
  const slot = ticket?.slot;
  if (slot === undefined || slots < 2 || slot >= slots) return request;
  return { ...request, slot: (slot + firstSlot) % slots };
}
