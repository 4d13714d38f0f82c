import type { InboxMessage } from "@harness/protocol";

/**
 * An agent's unread messages, and what wakes it. The messages follow from the facts, so they are the same after a
 * restart. Each agent has its own inbox, so a result goes to the direct parent.
 */
export class Inbox {
  readonly #messages: () => ReadonlyMap<string, InboxMessage> | undefined;
  #woken = false;
  #waiting: (() => void) | undefined;

  constructor(messages: () => ReadonlyMap<string, InboxMessage> | undefined) {
    this.#messages = messages;
  }

  /** Messages that are not part of the conversation yet, oldest first. */
  get queued(): InboxMessage[] {
    return this.unread.filter(({ state }) => state === "queued");
  }

  /** The same, including messages that joined it since the last reply. */
  get unread(): InboxMessage[] {
    return [...(this.#messages()?.values() ?? [])];
  }

  /** Wakes the agent: a message arrived, or the user wants it to go on. */
  wake(): void {
    this.#woken = true;
    this.#waiting?.();
  }

  /** Resolves when `wake` was called, or the signal aborts. Only one caller may wait at a time. */
  arrival(signal: AbortSignal): Promise<void> {
    if (this.#woken || signal.aborted) {
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
