import type { ModelEvent } from "../../ports/provider.ts";

/**
 * Detects failed request attempts that still cost tokens because part of a reply had arrived. A refused request or an
 * unreachable server costs nothing.
 */
export class AttemptMeter {
  #hasBegun = false;
  #isRead = false;

  /** True for a retry after an attempt that must be counted. */
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

  /**
   * True if the last attempt must be counted although it ended without a usage report. `wasStopped`: by us, not by a
   * failure.
   */
  hasBegun(wasStopped: boolean): boolean {
    return this.#hasBegun || (wasStopped && this.#isRead);
  }
}
