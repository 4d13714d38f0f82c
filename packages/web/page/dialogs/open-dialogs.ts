import type { Question, QuestionAnswer } from "@harness/client/browser";
import type { Permission, PermissionOutcome } from "@harness/protocol";
import { permissionCard } from "./permission-card.ts";
import { questionCard } from "./question-card.ts";

/** A card for the person, of a session. */
type OpenDialog = { readonly sessionId: string; readonly card: HTMLElement };

/** The requests that wait for an answer here; one that is answered elsewhere goes away. */
export class OpenDialogs {
  readonly #open = new Set<OpenDialog>();
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  cardsOf(sessionId: string): HTMLElement[] {
    return [...this.#open].filter((each) => each.sessionId === sessionId).map(({ card }) => card);
  }

  /** `root`: the folder that paths are shown relative to. */
  askPermission(
    { sessionId, root }: { sessionId: string; root: string },
    permission: Permission,
    signal: AbortSignal,
  ): Promise<PermissionOutcome> {
    const make = (answer: (outcome: PermissionOutcome) => void) => permissionCard(permission, { root, answer });
    return this.#ask(sessionId, signal, { make, withdrawn: { outcome: "cancelled" } });
  }

  askQuestion(question: Question, signal: AbortSignal): Promise<QuestionAnswer> {
    const make = (answer: (answer: QuestionAnswer) => void) => questionCard(question, answer);
    return this.#ask(question.sessionId, signal, { make, withdrawn: { action: "cancel" } });
  }

  #ask<A>(
    sessionId: string,
    signal: AbortSignal,
    { make, withdrawn }: { make(answer: (answer: A) => void): HTMLElement; withdrawn: A },
  ): Promise<A> {
    return new Promise((resolve) => {
      const settle = (answer: A) => {
        this.#open.delete(dialog);
        this.#changed();
        resolve(answer);
      };
      const dialog = { sessionId, card: make(settle) };
      if (signal.aborted) return resolve(withdrawn);
      signal.addEventListener("abort", () => settle(withdrawn), { once: true });
      this.#open.add(dialog);
      this.#changed();
    });
  }
}
