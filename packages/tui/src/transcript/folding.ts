/** What is open: everything or nothing, and the items that were set apart from that. */
export class Folding {
  #all = false;
  readonly #apart = new Set<string>();

  isOpen(id: string): boolean {
    return this.#apart.has(id) !== this.#all;
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
