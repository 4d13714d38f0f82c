import { asObject } from "./conversation.ts";
import type { ModelShelf } from "./model-shelf.ts";
import type { SlotWish } from "./slots.ts";

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
