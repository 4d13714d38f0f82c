/** Caches look-ups until the event loop turns: one decision asks several times, and sees one state. */
export class TickCache<T> {
  readonly #values = new Map<string, T>();

  /** `look` is called where the key was not asked for in this moment; what it throws is not kept. */
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
