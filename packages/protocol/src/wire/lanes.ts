// Requests that must not overtake each other: one at a time in a lane, in the order in which they came.
import { protocolError } from "../vocabulary/errors.ts";

/** Lets the next one of the lane start. Calling it again does nothing. */
export type LeaveLane = () => void;

/** Shared by the connections of a server, so that two clients of one session queue behind each other. */
export class Lanes {
  // A key is present while the lane is taken; its list holds those that wait.
  readonly #waiting = new Map<string, Array<() => void>>();

  /**
   * A lane that is free is entered at once. A promise resolves when it is the caller's turn, and rejects with `cancelled`
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
