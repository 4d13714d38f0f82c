/** A message from one agent to another. */
export type Mail = { fromAgentId: string; text: string };

/** Messages for an agent while it works. Each agent has its own inbox, so that a result goes to the direct parent. */
export class Inbox {
  #mail: Mail[] = [];
  #woken = false;
  #waiting: (() => void) | undefined;

  get isEmpty(): boolean {
    return this.#mail.length === 0;
  }

  put(mail: Mail): void {
    this.#mail.push(mail);
    this.wake();
  }

  takeAll(): Mail[] {
    return this.#mail.splice(0);
  }

  /** Wakes the agent for something else: a message of the person. */
  wake(): void {
    this.#woken = true;
    this.#waiting?.();
  }

  /** Resolves when mail is there, `wake` was called, or the signal aborts. One may wait at a time. */
  arrival(signal: AbortSignal): Promise<void> {
    if (!this.isEmpty || this.#woken || signal.aborted) {
      this.#woken = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting = undefined;
        this.#woken = false;
        signal.removeEventListener("abort", done);
        resolve();
      };
      this.#waiting = done;
      signal.addEventListener("abort", done, { once: true });
    });
  }
}
