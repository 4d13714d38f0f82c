import type { Endpoint } from "../endpoint/endpoint.ts";

/**
 * Refusals by servers: names of fields that are left out from then on, and of forms that the body must have. Learned
 * for each model at an address, because chat templates and limits come with the model.
 */
export class LearnedRefusals {
  readonly #names = new Map<string, Set<string>>();

  /** The names for a model, to read and to add to. */
  of({ api, baseUrl }: Pick<Endpoint, "api" | "baseUrl">, model: string): Set<string> {
    const key = JSON.stringify([api, baseUrl, model]);
    const names = this.#names.get(key) ?? new Set();
    this.#names.set(key, names);
    return names;
  }
}
