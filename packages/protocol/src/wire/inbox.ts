// What came in and is not dispatched yet, in order of arrival.

/**
 * Hands items on at once, except that after one that says "pause" it lets a turn of the event loop pass. Answers do: the
 * code that awaits one then runs before the next message, so an update right behind the reply to session/new finds it handled.
 */
export class Inbox<T> {
  readonly #dispatch: (item: T) => "go on" | "pause";
  readonly #defer: (task: () => void) => void;
  #waiting: T[] = [];
  #isPaused = false;

  constructor(dispatch: (item: T) => "go on" | "pause", defer: (task: () => void) => void) {
    this.#dispatch = dispatch;
    this.#defer = defer;
  }

  put(item: T): void {
    if (this.#isPaused) this.#waiting.push(item);
    else if (this.#dispatch(item) === "pause") this.#pause();
  }

  #pause(): void {
    this.#isPaused = true;
    this.#defer(() => this.#resume());
  }

  #resume(): void {
    let done = 0;
    for (const item of this.#waiting) {
      done++;
      if (this.#dispatch(item) === "go on") continue;
      this.#waiting.splice(0, done);
      this.#pause();
      return;
    }
    this.#waiting = [];
    this.#isPaused = false;
  }
}
