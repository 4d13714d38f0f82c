import type { Hud } from "@harness/protocol";
import type { Store } from "../state/store.ts";

/** Takes the numbers that the server sends or answers with, and says once why the person's status row is not there. */
export class HudInView {
  readonly #store: Store;
  #said: string | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  take(hud: Hud): void {
    this.#store.set({ hud });
    const { statusLine } = hud;
    // Not yet run, as in a session that was just opened: the same problem would come again.
    if (!statusLine) return;
    const problem = "problem" in statusLine ? statusLine.problem : undefined;
    if (problem !== undefined && problem !== this.#said) this.#store.note("warning", problem);
    this.#said = problem;
  }
}
