import type { ServedModels } from "./flavours/served-models.ts";
import type { SlotWish } from "./http/slots.ts";
import { asObject } from "./story/conversation.ts";

/** The slot that a request waits for: any of its model's, or the one that it names. */
export function slotWish(served: ServedModels, model: string, body: unknown): SlotWish {
  const { id_slot: slot } = asObject(body);
  const found = served.find(model) ?? served.models[0];
  return {
    model: found?.id ?? model,
    capacity: found?.queuesAt,
    ...(typeof slot === "number" && { slot }),
  };
}
