/** A queue of messages for one reader. */
export class Mailbox<T> {
  readonly #waiting: T[] = [];
  #wake: () => void = () => undefined;

  push(item: T): void {
    this.#waiting.push(item);
    this.#wake();
  }

  /** The next message; undefined as soon as the signal aborts. Only one reader may wait. */
  async next(signal: AbortSignal): Promise<T | undefined> {
    if (this.#waiting.length === 0 && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          signal.removeEventListener("abort", wake);
          this.#wake = () => undefined;
          resolve();
        };
        this.#wake = wake;
        signal.addEventListener("abort", wake);
      });
    }
    return signal.aborted ? undefined : this.#waiting.shift();
  }
}
