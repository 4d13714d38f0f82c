/** Which items are unfolded: all or none, and exceptions. */
export class Folding {
  #all = false;
  readonly #apart = new Set<string>();

  /** `usually`: whether an item of its kind is unfolded by default. */
  isOpen(id: string, { usually }: { usually: boolean }): boolean {
    return this.#apart.has(id) !== (this.#all || usually);
  }

  /** Opens everything, or folds everything when it was open. */
  toggleAll(): void {
    this.#all = !this.#all;
    this.#apart.clear();
  }

  toggle(id: string): void {
    if (!this.#apart.delete(id)) this.#apart.add(id);
  }
}
