import { createRedactor, type Redactor, type Secret } from "./redactor.ts";

/**
 * Every secret that this process has seen. None is ever dropped: a replaced key may still be valid elsewhere, or occur
 * in a file that a tool reads.
 */
export class KnownSecrets {
  readonly #names = new Map<string, string>();
  #redactor: Redactor | undefined;

  add(secrets: Iterable<Secret>): void {
    for (const { name, value } of secrets) {
      if (this.#names.has(value)) continue;
      this.#names.set(value, name);
      this.#redactor = undefined;
    }
  }

  /** A redactor for all secrets known so far. */
  get redactor(): Redactor {
    this.#redactor ??= createRedactor([...this.#names].map(([value, name]) => ({ name, value })));
    return this.#redactor;
  }
}
