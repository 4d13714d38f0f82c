import type { Hud, ModelView } from "@harness/protocol";

type ModelReference = Pick<ModelView, "provider" | "model" | "place">;

/** A model for people: a server on this machine is not the vendor whose API it speaks. */
export function placedModel({ provider, model, place }: ModelReference): string {
  return place === undefined ? `${provider}/${model}` : `${model} ${place}`;
}

/** The place of the model in use, if it is on such a server. */
export function placeInUse(hud: Pick<Hud, "place"> | undefined): string | undefined {
  return /^at \S+$/.exec(hud?.place ?? "")?.[0];
}
