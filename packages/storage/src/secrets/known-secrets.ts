import { createRedactor, type Redactor, type Secret } from "./redactor.ts";

/**
 * Every secret that this process has met. It never forgets one: a key that was replaced may be good for somebody yet, and
 * stand in a file that a tool reads.
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

  /** One that knows them all, as of now. */
  get redactor(): Redactor {
    this.#redactor ??= createRedactor([...this.#names].map(([value, name]) => ({ name, value })));
    return this.#redactor;
  }
}
