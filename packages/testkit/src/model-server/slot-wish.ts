import type { ModelShelf } from "./flavours/model-shelf.ts";
import type { SlotWish } from "./http/slots.ts";
import { asObject } from "./story/conversation.ts";

/** Which slot a request waits for: one of its model's, or the one that it names. */
export function slotWish(shelf: ModelShelf, model: string, body: unknown): SlotWish {
  const { id_slot: slot } = asObject(body);
  const found = shelf.find(model) ?? shelf.models[0];
  return {
    model: found?.id ?? model,
    capacity: found?.queuesAt,
    ...(typeof slot === "number" && { slot }),
  };
}
