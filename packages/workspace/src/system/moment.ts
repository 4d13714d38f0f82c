/**
 * The current turn of the event loop, as an object that stays the same until the next. One decision asks several times,
 * and sees a single state.
 */
export class Moment {
  #now: object | undefined;

  get now(): object {
    if (!this.#now) {
      this.#now = {};
      setImmediate(() => this.end());
    }
    return this.#now;
  }

  /** This process has just changed something: callers look again. */
  end(): void {
    this.#now = undefined;
  }
}
