import type { Hud } from "@harness/protocol";
import type { Store } from "../state/store.ts";

/** Takes the numbers that the server sends or returns, and reports once why the user's status line is missing. */
export class HudInView {
  readonly #store: Store;
  #said: string | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Of the folder, while there is no session. */
  takeFolder({ git, gitProblem, indexing }: Pick<Hud, "git" | "gitProblem" | "indexing">): void {
    const { hud } = this.#store.get();
    if (hud) this.#store.set({ hud: { ...hud, git, gitProblem, indexing } });
  }

  take(hud: Hud): void {
    this.#store.set({ hud });
    const { statusLine } = hud;
    // Not run yet, as in a session that was just opened; treating that as success would report the same problem again.
    if (!statusLine) return;
    const problem = "problem" in statusLine ? statusLine.problem : undefined;
    if (problem !== undefined && problem !== this.#said) this.#store.note("warning", problem);
    this.#said = problem;
  }
}
