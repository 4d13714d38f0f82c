/** What is open: everything or nothing, and the items that were set apart from that. */
export class Folding {
  #all = false;
  readonly #apart = new Set<string>();

  /** `usually`: how an item of its kind stands while nobody has touched it. */
  isOpen(id: string, usually = false): boolean {
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
