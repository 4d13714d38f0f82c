/** Caches look-ups until the next turn of the event loop: one decision asks several times, and sees one state. */
export class TickCache<T> {
  readonly #values = new Map<string, T>();

  /** `look` is called if the key was not looked up in this turn; if it throws, nothing is cached. */
  get(key: string, look: () => T): T {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const value = look();
    if (this.#values.size === 0) setImmediate(() => this.#values.clear());
    this.#values.set(key, value);
    return value;
  }

  clear(): void {
    this.#values.clear();
  }
}
