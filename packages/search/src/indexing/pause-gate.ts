/** Lets work through, or holds it while it is closed. */
export class PauseGate {
  #isClosed = false;
  #waiting: (() => void)[] = [];

  get isClosed(): boolean {
    return this.#isClosed;
  }

  set isClosed(isClosed: boolean) {
    this.#isClosed = isClosed;
    if (!isClosed) this.letThrough();
  }

  /** Resolves when the gate is open, or when `letThrough` is called. */
  async pass(): Promise<void> {
    // Messages that have arrived are read first.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#isClosed) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Lets those that wait through once, even while the gate is closed. */
  letThrough(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
