/** Which items are unfolded: all or none, plus exceptions. */
export class Folding {
  #all = false;
  readonly #apart = new Set<string>();
  readonly #opened = new Set<string>();

  /** `usually`: whether an item of its kind is unfolded by default. */
  isOpen(id: string, { usually }: { usually: boolean }): boolean {
    return this.#apart.has(id) !== (this.#all || usually);
  }

  /** Opens everything, or folds everything if it was open. */
  toggleAll(): void {
    this.#all = !this.#all;
    this.#apart.clear();
    this.#opened.clear();
  }

  toggle(id: string): void {
    if (!this.#apart.delete(id)) this.#apart.add(id);
  }

  /** Opens an item to show something in it. */
  openFor(id: string): void {
    if (this.#opened.has(id)) return;
    this.toggle(id);
    this.#opened.add(id);
  }

  /** Folds what `openFor` has opened, except these. */
  foldOpened(unless: readonly string[]): void {
    for (const id of this.#opened) {
      if (unless.includes(id)) continue;
      this.toggle(id);
      this.#opened.delete(id);
    }
  }
}
