import type { Endpoint } from "../endpoint/endpoint.ts";

/**
 * Refusals by servers: names of fields to omit from then on, and of forms that the body must have. Learned for each
 * model at an address, because chat templates and limits come with the model.
 */
export class LearnedRefusals {
  readonly #names = new Map<string, Set<string>>();

  /** The mutable set of names for a model. */
  of({ api, baseUrl }: Pick<Endpoint, "api" | "baseUrl">, model: string): Set<string> {
    const key = JSON.stringify([api, baseUrl, model]);
    const names = this.#names.get(key) ?? new Set();
    this.#names.set(key, names);
    return names;
  }
}
