// Requests that must not overtake each other: one at a time in a lane, in their order of arrival.
import { protocolError } from "../vocabulary/errors.ts";

/** Starts the next request of the lane. Further calls do nothing. */
export type LeaveLane = () => void;

/** Shared by the connections of a server, so that two clients of one session queue behind each other. */
export class RequestQueue {
  // A lane has an entry while a request is in it; the list holds those that wait.
  readonly #waiting = new Map<string, Array<() => void>>();

  /**
   * Enters a free lane at once. Otherwise the promise resolves when it is the caller's turn, and rejects with `cancelled`
   * when the signal aborts before that.
   */
  enter(lane: string, signal: AbortSignal): LeaveLane | Promise<LeaveLane> {
    const queue = this.#waiting.get(lane);
    if (queue === undefined) {
      this.#waiting.set(lane, []);
      return this.#leaver(lane);
    }
    return new Promise((resolve, reject) => {
      const cancel = () => {
        queue.splice(queue.indexOf(start), 1);
        reject(protocolError("cancelled", "The request was cancelled before it began."));
      };
      const start = () => {
        signal.removeEventListener("abort", cancel);
        resolve(this.#leaver(lane));
      };
      queue.push(start);
      if (signal.aborted) cancel();
      else signal.addEventListener("abort", cancel, { once: true });
    });
  }

  #leaver(lane: string): LeaveLane {
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      const next = this.#waiting.get(lane)?.shift();
      if (next === undefined) this.#waiting.delete(lane);
      else next();
    };
  }
}
