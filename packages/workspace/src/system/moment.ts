/**
 * The time until the event loop goes round again, as an object that is the same for so long. One decision asks several
 * times, and sees one state.
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

  /** This process has just changed something: whoever asks looks again. */
  end(): void {
    this.#now = undefined;
  }
}
