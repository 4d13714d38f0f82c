/**
 * How far requests have ever reached a server: one that disappears after a connection may be restarting; without one it
 * was never there.
 */
export class Contact {
  #has: "nothing" | "a connection" | "an answer" = "nothing";

  connected(): void {
    if (this.#has === "nothing") this.#has = "a connection";
  }

  answered(): void {
    this.#has = "an answer";
  }

  /** A tunnel accepts connections whether or not there is a server. */
  mayBeBack({ isTurnedAway }: { isTurnedAway: boolean }): boolean {
    return isTurnedAway ? this.#has === "an answer" : this.#has !== "nothing";
  }
}
