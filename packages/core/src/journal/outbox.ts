import type { SessionEvent } from "../ports/session-ports.ts";

/**
 * Events on their way out, in order. Whoever calls a method of the session gets its answer first: between `hold` and
 * the next microtask nothing leaves, then everything that waited goes out and later events go straight through. A
 * server that answers over several microtasks holds back what `emit` brings until its reply is in the queue.
 */
export class Outbox {
  readonly #emit: (event: SessionEvent) => void;
  #waiting: SessionEvent[] = [];
  #held = false;

  constructor(emit: (event: SessionEvent) => void) {
    this.#emit = emit;
  }

  hold(): void {
    if (this.#held) return;
    this.#held = true;
    void Promise.resolve().then(() => this.#release());
  }

  push(event: SessionEvent): void {
    if (this.#held || this.#waiting.length > 0) this.#waiting.push(event);
    else this.#emit(event);
  }

  #release(): void {
    this.#held = false;
    let sent = 0;
    // A listener may call the session again, which holds what is left until the next microtask.
    for (; sent < this.#waiting.length && !this.#held; sent += 1) this.#emit(this.#waiting[sent] as SessionEvent);
    this.#waiting = this.#waiting.slice(sent);
  }
}
