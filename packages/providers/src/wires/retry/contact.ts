/**
 * How far requests have ever reached a server: a server that is gone after a connection may be restarting; without one
 * it was never there.
 */
export class Contact {
  #has: "nothing" | "a connection" | "an answer" = "nothing";

  connected(): void {
    if (this.#has === "nothing") this.#has = "a connection";
  }

  answered(): void {
    this.#has = "an answer";
  }

  /** A tunnel takes connections whether there is a server or not. */
  mayBeBack({ isTurnedAway }: { isTurnedAway: boolean }): boolean {
    return isTurnedAway ? this.#has === "an answer" : this.#has !== "nothing";
  }
}
