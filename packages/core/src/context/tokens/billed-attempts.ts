import type { ModelEvent } from "../../ports/provider.ts";

/**
 * Which attempts at a request have to be paid for though they never came to an end: those of which something had arrived.
 * A refusal, or a server that could not be reached, costs nothing.
 */
export class BilledAttempts {
  #hasBegun = false;
  #isRead = false;

  /** Answers true for the retry of an attempt that is to be counted. */
  take(event: ModelEvent): boolean {
    switch (event.type) {
      case "tool_input":
        this.#hasBegun = true;
        return false;
      case "text":
      case "thinking":
        this.#hasBegun ||= event.text !== "";
        return false;
      case "status":
        this.#isRead ||= event.phase === "prefill";
        return false;
      case "retry": {
        const isVoid = this.#hasBegun;
        this.#hasBegun = false;
        this.#isRead = false;
        return isVoid;
      }
      default:
        return false;
    }
  }

  /** The last attempt is to be counted, though it ends without a report; `wasStopped` = by us, not by a failure. */
  hasBegun(wasStopped: boolean): boolean {
    return this.#hasBegun || (wasStopped && this.#isRead);
  }
}
